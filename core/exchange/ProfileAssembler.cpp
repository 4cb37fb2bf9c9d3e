// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/ProfileAssembler.h"

#include "core/exchange/Text.h"

#include <utility>

namespace perilune {

namespace {

/// The tree sums 64-bit values; this much each keeps any sum of them far from an overflow.
constexpr std::uint64_t amountLimit = std::uint64_t(1) << 62;

} // namespace

ProfileAssembler::ProfileAssembler()
{
    Function host;
    host.name = hostName;
    host.kind = FunctionKind::Host;
    m_functions.push_back(std::move(host));
    CallTree::Input rootNode;
    rootNode.function = FunctionId(0);
    m_nodes.push_back(rootNode);
    m_run.status = RunStatus::Done;
    setMeasured(Metric::Time);
}

SourceId ProfileAssembler::source(const std::string& file)
{
    if (file.empty())
        return {};
    const auto next = static_cast<std::uint32_t>(m_sources.size());
    const auto [place, isNew] = m_sourceIds.try_emplace(file, next);
    if (isNew) {
        Source source;
        const bool isString = file.starts_with("[string ");
        source.chunkName = isString ? file : '@' + file;
        source.label = file;
        source.kind = isString ? format::SourceKind::String : format::SourceKind::File;
        if (file.starts_with('/'))
            source.path = file;
        m_sources.push_back(std::move(source));
    }
    return SourceId(place->second);
}

FunctionId ProfileAssembler::function(const FunctionLabel& label, FunctionKind kind)
{
    const std::string name = singleLine(label.name);
    const std::string file = kind == FunctionKind::C ? std::string() : singleLine(label.file);
    if (name == hostName && file.empty())
        return FunctionId(0);
    const std::string key = name + '\n' + file + '\n' + std::to_string(label.line)
        + (kind == FunctionKind::C ? "\nC" : "");
    const auto next = static_cast<std::uint32_t>(m_functions.size());
    const auto [place, isNew] = m_functionIds.try_emplace(key, next);
    if (isNew) {
        Function function;
        function.name = name.empty() ? "(no name)" : name;
        function.source = source(file);
        function.kind = kind;
        if (kind == FunctionKind::Main)
            function.line = 0;
        else if (label.line > 0)
            function.line = label.line;
        m_functions.push_back(std::move(function));
    }
    return FunctionId(place->second);
}

std::uint32_t ProfileAssembler::child(std::uint32_t parent, FunctionId function)
{
    if (parent == root && function == FunctionId(0))
        return root;
    const std::uint32_t next = nodeCount();
    if (next >= nodeLimit) {
        m_isFull = true;
        return parent;
    }
    const std::uint32_t node = m_paths.findOrInsert(parent, function.value(), next);
    return node == next ? addNode(parent, function) : node;
}

std::uint32_t ProfileAssembler::addNode(std::uint32_t parent, FunctionId function)
{
    CallTree::Input node;
    node.parent = parent;
    node.function = function;
    m_nodes.push_back(node);
    return nodeCount() - 1;
}

void ProfileAssembler::add(std::uint32_t node, Metric metric, std::uint64_t amount)
{
    setMeasured(metric);
    std::uint64_t& self = m_nodes[node].self[static_cast<std::size_t>(metric)];
    self = amount > amountLimit - std::min(self, amountLimit) ? amountLimit : self + amount;
}

std::shared_ptr<const Profile> ProfileAssembler::finish()
{
    auto profile = std::make_shared<Profile>();
    profile->functions = std::move(m_functions);
    profile->sources = std::move(m_sources);
    profile->tree = CallTree::build(m_nodes, m_measured);
    profile->run = std::move(m_run);
    RunInfo& run = profile->run;
    run.wallTime = profile->tree->totalTime(profile->tree->root());
    run.mode = profile->tree->has(Metric::Calls) ? ProfilingMode::Exact : ProfilingMode::Sampling;
    return profile;
}

std::uint64_t nanosecondsIn(std::string_view unit)
{
    if (unit == "nanoseconds" || unit == "nanosecond" || unit == "ns")
        return 1;
    if (unit == "microseconds" || unit == "microsecond" || unit == "us")
        return 1000;
    if (unit == "milliseconds" || unit == "millisecond" || unit == "ms")
        return 1000000;
    if (unit == "seconds" || unit == "second" || unit == "s")
        return 1000000000;
    return 0;
}

std::uint64_t saturatingProduct(std::uint64_t value, std::uint64_t factor)
{
    std::uint64_t product = 0;
    return __builtin_mul_overflow(value, factor, &product) ? UINT64_MAX : product;
}

} // namespace perilune
