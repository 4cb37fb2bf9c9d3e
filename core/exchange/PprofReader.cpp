// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/PprofFields.h"
#include "core/exchange/ProfileAssembler.h"
#include "core/exchange/Protobuf.h"
#include "core/exchange/Readers.h"

#include <algorithm>
#include <optional>

namespace perilune {

namespace {

struct ValueType
{
    std::uint64_t type = 0; ///< Index of a string, as all below.
    std::uint64_t unit = 0;
};

struct RawFunction
{
    std::uint64_t name = 0;
    std::uint64_t fileName = 0;
    std::uint64_t startLine = 0;
};

/// Where one value of each sample goes.
struct ValueUse
{
    std::size_t index = 0; ///< Within the values of a sample.
    Metric metric = Metric::Time;
    std::uint64_t factor = 1;
};

class PprofFile
{
public:
    explicit PprofFile(std::string_view content)
        : m_content(content)
    {
    }

    ImportResult read()
    {
        if (!readTables() || !resolveLocations())
            return damaged("is no pprof profile, or damaged");
        findUses();
        if (m_uses.empty())
            return damaged("has no values that Perilune knows");
        if (!readSamples())
            return damaged(m_error.empty() ? "has damaged samples" : m_error);
        if (m_assembler.isFull())
            return damaged("has too many different stacks");
        m_assembler.run().interpreter = "imported pprof profile";
        m_assembler.run().startedAtUnixMs = static_cast<std::int64_t>(m_timeNanos / 1000000);
        return m_assembler.finish();
    }

private:
    std::string_view text(std::uint64_t index) const
    {
        return index < m_strings.size() ? m_strings[index] : std::string_view();
    }

    /// The first pass: all but the samples, which need the rest.
    bool readTables()
    {
        ProtobufReader fields(m_content);
        while (fields.next()) {
            switch (fields.field()) {
            case pprof::SampleType:
                m_types.push_back(readValueType(fields.bytes()));
                break;
            case pprof::Location:
                readLocation(fields.bytes());
                break;
            case pprof::Function:
                readFunction(fields.bytes());
                break;
            case pprof::StringTable:
                m_strings.push_back(fields.bytes());
                break;
            case pprof::TimeNanos:
                m_timeNanos = fields.number();
                break;
            case pprof::Period:
                m_period = fields.number();
                break;
            case pprof::DefaultSampleType:
                m_defaultType = fields.number();
                break;
            default:
                break;
            }
        }
        return !fields.isDamaged() && !m_isDamaged && !m_types.empty() && !m_strings.empty()
            && m_strings.front().empty();
    }

    static ValueType readValueType(std::string_view bytes)
    {
        ValueType type;
        ProtobufReader fields(bytes);
        while (fields.next()) {
            if (fields.field() == pprof::Type)
                type.type = fields.number();
            else if (fields.field() == pprof::Unit)
                type.unit = fields.number();
        }
        return type;
    }

    void readFunction(std::string_view bytes)
    {
        RawFunction function;
        std::uint64_t id = 0;
        ProtobufReader fields(bytes);
        while (fields.next()) {
            switch (fields.field()) {
            case pprof::FunctionId:
                id = fields.number();
                break;
            case pprof::Name:
                function.name = fields.number();
                break;
            case pprof::FileName:
                function.fileName = fields.number();
                break;
            case pprof::StartLine:
                function.startLine = fields.number();
                break;
            default:
                break;
            }
        }
        m_isDamaged = m_isDamaged || fields.isDamaged();
        m_functions[id] = function;
    }

    /// The functions of a location: more than one where calls were inlined, innermost first.
    void readLocation(std::string_view bytes)
    {
        std::uint64_t id = 0;
        std::vector<std::uint64_t> functions;
        ProtobufReader fields(bytes);
        while (fields.next()) {
            if (fields.field() == pprof::Id)
                id = fields.number();
            else if (fields.field() == pprof::Line)
                functions.push_back(readLine(fields.bytes()));
        }
        m_isDamaged = m_isDamaged || fields.isDamaged();
        m_locations[id] = std::move(functions);
    }

    static std::uint64_t readLine(std::string_view bytes)
    {
        std::uint64_t function = 0;
        ProtobufReader fields(bytes);
        while (fields.next()) {
            if (fields.field() == pprof::LineFunction)
                function = fields.number();
        }
        return function;
    }

    bool resolveLocations()
    {
        for (const auto& [id, functions] : m_locations) {
            std::vector<FunctionId>& frames = m_frames[id];
            for (const std::uint64_t function : functions) {
                const auto found = m_functions.find(function);
                if (found == m_functions.end())
                    return false;
                frames.push_back(functionOf(found->second));
            }
            if (frames.empty())
                frames.push_back(m_assembler.function({"address " + std::to_string(id), {}, 0},
                                                      FunctionKind::C));
        }
        return true;
    }

    FunctionId functionOf(const RawFunction& raw)
    {
        const FunctionLabel label{
            std::string(text(raw.name)), std::string(text(raw.fileName)),
            static_cast<int>(std::min<std::uint64_t>(raw.startLine, INT32_MAX))};
        return m_assembler.function(label, label.file.empty() ? FunctionKind::C : guessKind(label));
    }

    /// The value that stands for time: the default one, else the last that is a time.
    std::optional<std::size_t> timeIndex() const
    {
        std::optional<std::size_t> found;
        for (std::size_t index = 0; index < m_types.size(); ++index) {
            if (nanosecondsIn(text(m_types[index].unit)) == 0)
                continue;
            found = index;
            if (m_defaultType != 0 && m_types[index].type == m_defaultType)
                break;
        }
        return found;
    }

    void findUses()
    {
        const auto time = timeIndex();
        if (time)
            m_uses.push_back({*time, Metric::Time, nanosecondsIn(text(m_types[*time].unit))});
        for (std::size_t index = 0; index < m_types.size(); ++index) {
            const std::string_view type = text(m_types[index].type);
            if (type == "calls")
                m_uses.push_back({index, Metric::Calls, 1});
            else if (type == "samples" || type == "sample")
                m_uses.push_back({index, Metric::Samples, 1});
            else if (type == "alloc_objects")
                m_uses.push_back({index, Metric::Blocks, 1});
            else if (type == "alloc_space" || type == "space")
                m_uses.push_back({index, Metric::Bytes, 1});
        }
        const bool hasSamples =
            std::ranges::find(m_uses, Metric::Samples, &ValueUse::metric) != m_uses.end();
        if (!time && hasSamples) {
            const auto samples =
                std::ranges::find(m_uses, Metric::Samples, &ValueUse::metric)->index;
            m_uses.push_back({samples, Metric::Time, 1000000});
            m_assembler.warn("The file has samples without a time: each is taken for 1 ms");
        }
        if (hasSamples && m_period > 0 && m_period < INT64_MAX)
            m_assembler.run().samplingInterval =
                Duration::fromNanoseconds(static_cast<std::int64_t>(m_period));
    }

    bool readSamples()
    {
        ProtobufReader fields(m_content);
        while (fields.next()) {
            if (fields.field() == pprof::Sample && !readSample(fields.bytes()))
                return false;
        }
        return true;
    }

    bool readSample(std::string_view bytes)
    {
        m_stack.clear();
        m_values.clear();
        ProtobufReader fields(bytes);
        while (fields.next()) {
            if (fields.field() == pprof::LocationId)
                fields.forEachNumber([this](std::uint64_t id) { m_stack.push_back(id); });
            else if (fields.field() == pprof::Value)
                fields.forEachNumber([this](std::uint64_t value) { m_values.push_back(value); });
        }
        if (fields.isDamaged() || m_values.size() != m_types.size())
            return false;
        std::uint32_t node = ProfileAssembler::root;
        for (auto location = m_stack.rbegin(); location != m_stack.rend(); ++location) {
            const auto found = m_frames.find(*location);
            if (found == m_frames.end())
                return false;
            for (auto frame = found->second.rbegin(); frame != found->second.rend(); ++frame)
                node = m_assembler.child(node, *frame);
        }
        return addValues(node);
    }

    bool addValues(std::uint32_t node)
    {
        for (const ValueUse& use : m_uses) {
            const std::uint64_t value = m_values[use.index];
            if (static_cast<std::int64_t>(value) < 0) {
                m_error = "has negative values, as the difference of two profiles has";
                return false;
            }
            m_assembler.add(node, use.metric, saturatingProduct(value, use.factor));
        }
        return true;
    }

    std::string_view m_content;
    ProfileAssembler m_assembler;
    std::vector<std::string_view> m_strings;
    std::vector<ValueType> m_types;
    std::unordered_map<std::uint64_t, RawFunction> m_functions;
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> m_locations;
    std::unordered_map<std::uint64_t, std::vector<FunctionId>> m_frames; ///< By location.
    std::vector<ValueUse> m_uses;
    std::string m_error;
    std::uint64_t m_timeNanos = 0;
    std::uint64_t m_period = 0;
    std::uint64_t m_defaultType = 0;
    bool m_isDamaged = false;
    // Of the sample that is read; kept for their memory.
    std::vector<std::uint64_t> m_stack;
    std::vector<std::uint64_t> m_values;
};

} // namespace

bool looksLikePprof(std::string_view content)
{
    // The first field is a sample type: two small numbers.
    ProtobufReader fields(content);
    if (!fields.next() || fields.field() != pprof::SampleType || fields.bytes().empty())
        return false;
    ProtobufReader type(fields.bytes());
    while (type.next()) {
        if (type.field() != pprof::Type && type.field() != pprof::Unit)
            return false;
    }
    return !type.isDamaged();
}

ImportResult readPprof(std::string_view content)
{
    return PprofFile(content).read();
}

} // namespace perilune
