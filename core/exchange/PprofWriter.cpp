// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/FunctionLabels.h"
#include "core/exchange/PprofFields.h"
#include "core/exchange/Protobuf.h"
#include "core/exchange/StackTree.h"
#include "core/exchange/Text.h"
#include "core/exchange/Writers.h"

#include <unordered_map>

namespace perilune {

namespace {

/// One kind of value that each sample has.
struct SampleValue
{
    Metric metric;
    const char* type;
    const char* unit;
};

/// Counts before bytes before time: without a default the last one is shown.
std::vector<SampleValue> sampleValues(const Profile& profile, const ExportOptions& options)
{
    const CallTree& tree = *profile.tree;
    std::vector<SampleValue> values;
    if (tree.has(Metric::Samples))
        values.push_back({Metric::Samples, "samples", "count"});
    if (tree.has(Metric::Calls))
        values.push_back({Metric::Calls, "calls", "count"});
    if (tree.has(Metric::Blocks))
        values.push_back({Metric::Blocks, "alloc_objects", "count"});
    if (tree.has(Metric::Bytes))
        values.push_back({Metric::Bytes, "alloc_space", "bytes"});
    values.push_back({timeMetric(profile, options), "time", "nanoseconds"});
    return values;
}

/// Writes the messages of one profile; strings are collected and written at the end.
class PprofFile
{
public:
    PprofFile(const Profile& profile, const ExportOptions& options, Output& out)
        : m_profile(profile)
        , m_options(options)
        , m_out(out)
        , m_values(sampleValues(profile, options))
    {
        stringIndex({});
    }

    void write()
    {
        writeHeader();
        writeSamples();
        writeMapping();
        writeFunctions();
        writeStrings();
    }

private:
    std::uint64_t stringIndex(const std::string& text)
    {
        const auto [place, isNew] = m_stringIndex.try_emplace(text, m_strings.size());
        if (isNew)
            m_strings.push_back(text);
        return place->second;
    }

    /// Puts a field of the profile itself, whose content is a message, in the output.
    void put(std::uint32_t field, const ProtobufWriter& message)
    {
        m_profileField.clear();
        m_profileField.addBytes(field, message.bytes());
        m_out << m_profileField.bytes();
    }

    void put(std::uint32_t field, std::uint64_t number)
    {
        m_profileField.clear();
        m_profileField.addVarint(field, number);
        m_out << m_profileField.bytes();
    }

    void putValueType(std::uint32_t field, const std::string& type, const std::string& unit)
    {
        m_message.clear();
        m_message.addVarint(pprof::Type, stringIndex(type));
        m_message.addVarint(pprof::Unit, stringIndex(unit));
        put(field, m_message);
    }

    void writeHeader()
    {
        const RunInfo& run = m_profile.run;
        for (const SampleValue& value : m_values)
            putValueType(pprof::SampleType, value.type, value.unit);
        put(pprof::DefaultSampleType, stringIndex("time"));
        if (run.samplingInterval > Duration()) {
            putValueType(pprof::PeriodType, "time", "nanoseconds");
            put(pprof::Period, static_cast<std::uint64_t>(run.samplingInterval.nanoseconds()));
        }
        put(pprof::TimeNanos, static_cast<std::uint64_t>(run.startedAtUnixMs) * 1000000);
        put(pprof::DurationNanos, static_cast<std::uint64_t>(run.wallTime.nanoseconds()));
        put(pprof::Comment,
            stringIndex("perilune " PERILUNE_VERSION ": " + singleLine(run.script)));
        put(pprof::Comment, stringIndex("the sum of 'calls' over a subtree has no meaning"));
    }

    void writeSamples()
    {
        const StackTree stacks(*m_profile.tree, functionCount(), m_options.maximumDepth);
        std::vector<std::vector<std::uint64_t>> columns;
        for (const SampleValue& value : m_values)
            columns.push_back(stacks.sums(m_profile.tree->selfColumn(value.metric)));
        for (std::uint32_t node = 0; node < stacks.nodeCount(); ++node)
            writeSample(stacks, columns, node);
        m_hasCut = stacks.hasCut();
    }

    void writeSample(const StackTree& stacks,
                     const std::vector<std::vector<std::uint64_t>>& columns, std::uint32_t node)
    {
        bool isZero = true;
        m_packed.clear();
        for (const auto& column : columns) {
            const std::uint64_t value = column.empty() ? 0 : column[node];
            m_packed.appendVarint(value);
            isZero = isZero && value == 0;
        }
        if (isZero)
            return;
        stacks.findStack(node, m_stack);
        m_locations.clear();
        for (const std::uint32_t function : m_stack)
            m_locations.appendVarint(function + 1); // 0 is no id
        m_message.clear();
        m_message.addBytes(pprof::LocationId, m_locations.bytes());
        m_message.addBytes(pprof::Value, m_packed.bytes());
        put(pprof::Sample, m_message);
    }

    /// Without a mapping that says that all names are known, the tool looks for a binary.
    void writeMapping()
    {
        m_message.clear();
        m_message.addVarint(pprof::MappingId, 1);
        m_message.addVarint(pprof::MappingFileName, stringIndex(singleLine(m_profile.run.script)));
        for (const std::uint32_t field : {pprof::HasFunctions, pprof::HasFileNames,
                                          pprof::HasLineNumbers, pprof::HasInlineFrames})
            m_message.addVarint(field, 1);
        put(pprof::Mapping, m_message);
    }

    void writeFunctions()
    {
        const FunctionLabels labels(m_profile, FileNaming::Path, true);
        for (std::uint32_t index = 0; index < labels.size(); ++index)
            writeFunction(index + 1, labels[FunctionId(index)]);
        if (m_hasCut)
            writeFunction(functionCount() + 1, {std::string(cutFrameName), {}, 0});
    }

    /// A function and its only location, which have the same id.
    void writeFunction(std::uint64_t id, const FunctionLabel& label)
    {
        const auto line = static_cast<std::uint64_t>(label.line);
        m_message.clear();
        m_message.addVarint(pprof::FunctionId, id);
        m_message.addVarint(pprof::Name, stringIndex(label.name));
        // No system name: the tool would take the name for one of C++ and drop what is in brackets.
        m_message.addVarint(pprof::FileName, stringIndex(label.file));
        m_message.addVarint(pprof::StartLine, line);
        put(pprof::Function, m_message);

        m_packed.clear();
        m_packed.addVarint(pprof::LineFunction, id);
        m_packed.addVarint(pprof::LineNumber, line);
        m_message.clear();
        m_message.addVarint(pprof::Id, id);
        m_message.addVarint(pprof::LocationMapping, 1);
        m_message.addBytes(pprof::Line, m_packed.bytes());
        put(pprof::Location, m_message);
    }

    void writeStrings()
    {
        for (const std::string& text : m_strings) {
            m_profileField.clear();
            m_profileField.addBytes(pprof::StringTable, text);
            m_out << m_profileField.bytes();
        }
    }

    std::uint32_t functionCount() const
    {
        return static_cast<std::uint32_t>(m_profile.functions.size());
    }

    const Profile& m_profile;
    const ExportOptions& m_options;
    Output& m_out;
    std::vector<SampleValue> m_values;
    std::vector<std::string> m_strings;
    std::unordered_map<std::string, std::uint64_t> m_stringIndex;
    bool m_hasCut = false;
    // Kept for their memory.
    ProtobufWriter m_profileField;
    ProtobufWriter m_message;
    ProtobufWriter m_packed;
    ProtobufWriter m_locations;
    std::vector<std::uint32_t> m_stack;
};

} // namespace

void writePprof(const Profile& profile, const ExportOptions& options, Output& out)
{
    GzipOutput compressed(out);
    PprofFile(profile, options, compressed).write();
    compressed.finish();
}

} // namespace perilune
