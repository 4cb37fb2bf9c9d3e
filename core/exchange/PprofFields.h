// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// Field numbers of the messages of a pprof file (profile.proto), as far as they are used here.
namespace perilune::pprof {

enum ProfileField : std::uint32_t
{
    SampleType = 1,
    Sample = 2,
    Mapping = 3,
    Location = 4,
    Function = 5,
    StringTable = 6,
    TimeNanos = 9,
    DurationNanos = 10,
    PeriodType = 11,
    Period = 12,
    Comment = 13,
    DefaultSampleType = 14,
};
enum ValueTypeField : std::uint32_t
{
    Type = 1,
    Unit = 2
};
enum SampleField : std::uint32_t
{
    LocationId = 1,
    Value = 2
};
enum MappingField : std::uint32_t
{
    MappingId = 1,
    MappingFileName = 5,
    HasFunctions = 7,
    HasFileNames = 8,
    HasLineNumbers = 9,
    HasInlineFrames = 10,
};
enum LocationField : std::uint32_t
{
    Id = 1,
    LocationMapping = 2,
    Line = 4
};
enum LineField : std::uint32_t
{
    LineFunction = 1,
    LineNumber = 2
};
enum FunctionField : std::uint32_t
{
    FunctionId = 1,
    Name = 2,
    FileName = 4,
    StartLine = 5,
};

} // namespace perilune::pprof
