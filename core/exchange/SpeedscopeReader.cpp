// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/JsonReader.h"
#include "core/exchange/ProfileAssembler.h"
#include "core/exchange/Readers.h"

#include <cmath>
#include <optional>

namespace perilune {

namespace {

/// One element of "profiles" as it stands in the file: its members may come in any order.
struct RawProfile
{
    std::string type;
    std::string name;
    std::string unit;
    std::vector<std::uint32_t> sampleFrames; ///< All samples, one after the other, root first.
    std::vector<std::size_t> sampleEnds;     ///< Of each sample in sampleFrames.
    std::vector<JsonNumber> weights;
    struct Event
    {
        bool isOpen = false;
        std::uint32_t frame = 0;
        JsonNumber at;
    };
    std::vector<Event> events;
};

bool readSamples(JsonReader& json, RawProfile& profile)
{
    json.enterArray();
    while (json.nextElement()) {
        json.enterArray();
        while (json.nextElement()) {
            std::uint32_t frame = 0;
            if (!json.readIndex(frame))
                return false;
            profile.sampleFrames.push_back(frame);
        }
        profile.sampleEnds.push_back(profile.sampleFrames.size());
    }
    return !json.hasFailed();
}

bool readWeights(JsonReader& json, RawProfile& profile)
{
    json.enterArray();
    while (json.nextElement()) {
        if (!json.readNumber(profile.weights.emplace_back()))
            return false;
    }
    return !json.hasFailed();
}

bool readEvent(JsonReader& json, RawProfile::Event& event)
{
    std::string_view key;
    std::string type;
    json.enterObject();
    while (json.nextKey(key)) {
        if (key == "type")
            json.readString(type);
        else if (key == "frame")
            json.readIndex(event.frame);
        else if (key == "at")
            json.readNumber(event.at);
        else
            json.skipValue();
    }
    event.isOpen = type == "O";
    return !json.hasFailed() && (type == "O" || type == "C");
}

bool readEvents(JsonReader& json, RawProfile& profile)
{
    json.enterArray();
    while (json.nextElement()) {
        RawProfile::Event event;
        if (!readEvent(json, event))
            return false;
        profile.events.push_back(event);
    }
    return !json.hasFailed();
}

bool readProfile(JsonReader& json, RawProfile& profile)
{
    std::string_view key;
    json.enterObject();
    while (json.nextKey(key)) {
        bool isGood = true;
        if (key == "type")
            isGood = json.readString(profile.type);
        else if (key == "name")
            isGood = json.readString(profile.name);
        else if (key == "unit")
            isGood = json.readString(profile.unit);
        else if (key == "samples")
            isGood = readSamples(json, profile);
        else if (key == "weights")
            isGood = readWeights(json, profile);
        else if (key == "events")
            isGood = readEvents(json, profile);
        else
            isGood = json.skipValue();
        if (!isGood)
            return false;
    }
    return !json.hasFailed();
}

bool readFrame(JsonReader& json, FunctionLabel& label)
{
    std::string_view key;
    json.enterObject();
    while (json.nextKey(key)) {
        if (key == "name" && json.peek() == '"') {
            json.readString(label.name);
        } else if (key == "file" && json.peek() == '"') {
            json.readString(label.file);
        } else if (key == "line" && json.peek() == 'n') {
            std::uint32_t line = 0;
            json.readIndex(line);
            label.line = static_cast<int>(std::min<std::uint32_t>(line, INT32_MAX));
        } else {
            json.skipValue();
        }
    }
    return !json.hasFailed();
}

bool readShared(JsonReader& json, std::vector<FunctionLabel>& frames)
{
    std::string_view key;
    json.enterObject();
    while (json.nextKey(key)) {
        if (key != "frames") {
            json.skipValue();
            continue;
        }
        json.enterArray();
        while (json.nextElement()) {
            if (!readFrame(json, frames.emplace_back()))
                return false;
        }
    }
    return !json.hasFailed();
}

/// What the weights of a profile count.
struct Weighting
{
    Metric metric = Metric::Time;
    std::uint64_t factor = 1; ///< To nanoseconds, or 1.
    bool areSamples = false;
};

Weighting weightingOf(const std::string& unit)
{
    if (const std::uint64_t nanoseconds = nanosecondsIn(unit))
        return {Metric::Time, nanoseconds, false};
    if (unit == "bytes")
        return {Metric::Bytes, 1, false};
    return {Metric::Time, 1000000, true}; // a sample of 1 ms each
}

/// (`to` − `from`) × `factor`, rounded; nothing when it is negative or too large.
std::optional<std::uint64_t> amountBetween(const JsonNumber& from, const JsonNumber& to,
                                           std::uint64_t factor)
{
    if (from.isWhole && to.isWhole && to.whole >= from.whole)
        return saturatingProduct(to.whole - from.whole, factor);
    const double amount = (to.value - from.value) * static_cast<double>(factor);
    if (!(amount >= 0 && amount < 4e18))
        return {};
    return static_cast<std::uint64_t>(std::llround(amount));
}

std::optional<std::uint64_t> amountOf(const JsonNumber& number, std::uint64_t factor)
{
    return amountBetween({0, 0, true}, number, factor);
}

/// Adds the profiles of a file to one tree.
class SpeedscopeFile
{
public:
    explicit SpeedscopeFile(std::string_view content)
        : m_content(content)
    {
    }

    ImportResult read()
    {
        if (!readFrames())
            return badJson();
        for (const FunctionLabel& frame : m_frames)
            m_functions.push_back(m_assembler.function(frame, guessKind(frame)));
        if (!readProfiles())
            return m_error.empty() ? badJson() : damaged(m_error);
        if (m_assembler.isFull())
            return damaged("has too many different stacks");
        if (m_hasSamples) {
            m_assembler.run().samplingInterval = Duration::fromMilliseconds(1);
            m_assembler.warn(
                "The file has weights without a unit: each is taken for samples of 1 ms");
        }
        m_assembler.run().interpreter = "imported speedscope profile";
        return m_assembler.finish();
    }

private:
    Error badJson() const
    {
        return damaged("is no speedscope file, or damaged near byte " + std::to_string(m_badByte));
    }

    /// The first pass: frames, and how many profiles there are.
    bool readFrames()
    {
        JsonReader json(m_content);
        std::string_view key;
        bool hasFrames = false;
        json.enterObject();
        while (json.nextKey(key)) {
            if (key == "shared") {
                hasFrames = readShared(json, m_frames);
            } else if (key == "profiles" && json.enterArray()) {
                while (json.nextElement() && countProfile(json)) { }
            } else if (key == "name" && json.peek() == '"') {
                json.readString(m_assembler.run().script);
            } else {
                json.skipValue();
            }
        }
        m_badByte = json.position();
        return !json.hasFailed() && hasFrames && m_profileCount > 0;
    }

    /// Looks at nothing but the unit of a profile.
    bool countProfile(JsonReader& json)
    {
        std::string_view key;
        std::string unit;
        json.enterObject();
        while (json.nextKey(key)) {
            if (key == "unit")
                json.readString(unit);
            else
                json.skipValue();
        }
        ++m_profileCount;
        if (weightingOf(unit).metric == Metric::Time)
            ++m_timeProfileCount;
        return !json.hasFailed();
    }

    bool readProfiles()
    {
        JsonReader json(m_content);
        std::string_view key;
        json.enterObject();
        while (json.nextKey(key)) {
            if (key != "profiles") {
                json.skipValue();
                continue;
            }
            json.enterArray();
            while (json.nextElement()) {
                RawProfile profile;
                m_badByte = json.position();
                if (!readProfile(json, profile) || !addProfile(profile))
                    return false;
            }
        }
        return !json.hasFailed();
    }

    /// Profiles of several threads stand side by side; one of bytes belongs to that of time.
    std::uint32_t rootOf(const RawProfile& profile)
    {
        if (m_timeProfileCount <= 1 || weightingOf(profile.unit).metric != Metric::Time)
            return ProfileAssembler::root;
        return m_assembler.child(ProfileAssembler::root,
                                 m_assembler.function({profile.name, {}, 0}, FunctionKind::Lua));
    }

    bool addProfile(const RawProfile& profile)
    {
        const Weighting weighting = weightingOf(profile.unit);
        m_hasSamples = m_hasSamples || weighting.areSamples;
        if (profile.type == "sampled")
            return addSamples(profile, weighting, rootOf(profile));
        if (profile.type == "evented")
            return addEvents(profile, weighting, rootOf(profile));
        return failWith("has a profile of the unknown type \"" + profile.type + '"');
    }

    bool failWith(std::string error)
    {
        m_error = std::move(error);
        return false;
    }

    bool addSamples(const RawProfile& profile, const Weighting& weighting, std::uint32_t root)
    {
        if (profile.weights.size() != profile.sampleEnds.size())
            return failWith("has a profile with more samples than weights, or fewer");
        std::size_t begin = 0;
        for (std::size_t sample = 0; sample < profile.weights.size(); ++sample) {
            std::uint32_t node = root;
            for (; begin < profile.sampleEnds[sample]; ++begin) {
                const std::uint32_t frame = profile.sampleFrames[begin];
                if (frame >= m_functions.size())
                    return failWith("has a sample with a frame that is not there");
                node = m_assembler.child(node, m_functions[frame]);
            }
            const auto amount = amountOf(profile.weights[sample], weighting.factor);
            if (!amount)
                return failWith("has a negative or too large weight");
            m_assembler.add(node, weighting.metric, *amount);
            if (weighting.areSamples)
                m_assembler.add(node, Metric::Samples, *amount / weighting.factor);
        }
        return true;
    }

    /// Each event ends a span of time that belongs to the frame on top. All times are taken from
    /// the first event, so that rounding does not add up.
    bool addEvents(const RawProfile& profile, const Weighting& weighting, std::uint32_t root)
    {
        std::vector<std::uint32_t> open = {root};
        std::vector<std::uint32_t> openFrames;
        std::uint64_t last = 0;
        for (const RawProfile::Event& event : profile.events) {
            const auto at = amountBetween(profile.events.front().at, event.at, weighting.factor);
            if (!at || *at < last || event.frame >= m_functions.size())
                return failWith("has events that go back in time or whose frame is not there");
            m_assembler.add(open.back(), weighting.metric, *at - last);
            last = *at;
            if (event.isOpen) {
                open.push_back(m_assembler.child(open.back(), m_functions[event.frame]));
                openFrames.push_back(event.frame);
                m_assembler.add(open.back(), Metric::Calls, 1);
            } else if (!openFrames.empty() && openFrames.back() == event.frame) {
                open.pop_back();
                openFrames.pop_back();
            } else {
                return failWith("has an event that closes a frame that is not open");
            }
        }
        return true;
    }

    std::string_view m_content;
    std::vector<FunctionLabel> m_frames;
    std::vector<FunctionId> m_functions; ///< By frame.
    ProfileAssembler m_assembler;
    std::string m_error;
    std::size_t m_badByte = 0;
    std::size_t m_profileCount = 0;
    std::size_t m_timeProfileCount = 0;
    bool m_hasSamples = false;
};

} // namespace

ImportResult readSpeedscope(std::string_view content)
{
    return SpeedscopeFile(content).read();
}

} // namespace perilune
