// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/BottomUpTree.h"
#include "core/analysis/CallersTree.h"
#include "core/analysis/FunctionTable.h"
#include "core/analysis/Transforms.h"
#include "tests/support/TestProfiles.h"

#include <benchmark/benchmark.h>
#include <memory>
#include <vector>

using namespace perilune;

namespace {

constexpr std::uint32_t nodeCount = 1000000;

/// A million nodes of this many functions, made once.
std::shared_ptr<const Profile> profileOf(std::int64_t functionCount)
{
    static std::shared_ptr<const Profile> profile;
    static std::int64_t made = 0;
    if (made != functionCount) {
        profile = nullptr; // only one at a time
        profile = test::largeProfile(nodeCount, static_cast<std::uint32_t>(functionCount));
        made = functionCount;
    }
    return profile;
}

std::vector<CallTree::Input> inputOf(const CallTree& tree)
{
    std::vector<CallTree::Input> nodes(tree.nodeCount());
    for (std::uint32_t index = 0; index < tree.nodeCount(); ++index) {
        nodes[index].parent = tree.parent(NodeId(index)).value();
        nodes[index].function = tree.function(NodeId(index));
        for (std::size_t metric = 0; metric < metricCount; ++metric)
            nodes[index].self[metric] = tree.self(static_cast<Metric>(metric), NodeId(index));
    }
    return nodes;
}

void buildCallTree(benchmark::State& state)
{
    const auto profile = profileOf(state.range(0));
    const auto nodes = inputOf(*profile->tree);
    for (auto _ : state)
        benchmark::DoNotOptimize(CallTree::build(nodes, profile->tree->measured()));
}

void computeFunctionTable(benchmark::State& state)
{
    const auto profile = profileOf(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(FunctionTable::compute(*profile));
}

void computeFunctionNodes(benchmark::State& state)
{
    const auto profile = profileOf(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(FunctionNodes::compute(profile->tree));
}

void openBottomUpTree(benchmark::State& state)
{
    const auto profile = profileOf(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(BottomUpTree(profile->tree, Metric::Time).rowCount());
}

FunctionId heaviestOf(const Profile& profile)
{
    const BottomUpTree tree(profile.tree, Metric::Time);
    return tree.function(tree.child(BottomUpTree::root, 0));
}

void openBottomUpTreeOfOneFunction(benchmark::State& state)
{
    const auto profile = profileOf(state.range(0));
    const FunctionId heaviest = heaviestOf(*profile);
    for (auto _ : state) {
        BottomUpTree tree(profile->tree, Metric::Time, heaviest);
        tree.expand(tree.child(BottomUpTree::root, 0));
        benchmark::DoNotOptimize(tree.rowCount());
    }
}

void expandHeaviestFunction(benchmark::State& state)
{
    const auto profile = profileOf(state.range(0));
    for (auto _ : state) {
        state.PauseTiming();
        BottomUpTree tree(profile->tree, Metric::Time);
        state.ResumeTiming();
        tree.expand(tree.child(BottomUpTree::root, 0));
        benchmark::DoNotOptimize(tree.rowCount());
    }
}

void computeCallers(benchmark::State& state)
{
    const auto profile = profileOf(state.range(0));
    const auto nodes = FunctionNodes::compute(profile->tree);
    const FunctionId heaviest = heaviestOf(*profile);
    for (auto _ : state)
        benchmark::DoNotOptimize(computeCallersTree(nodes, heaviest));
}

void transform(benchmark::State& state)
{
    const auto profile = profileOf(state.range(0));
    const Transform transform{static_cast<Transform::Kind>(state.range(1)), FunctionId(1),
                              SourceId(0)};
    for (auto _ : state)
        benchmark::DoNotOptimize(applyTransform(profile, transform));
}

void ofEachSize(benchmark::internal::Benchmark* benchmark)
{
    for (const std::int64_t functionCount : {50, 5000, 100000})
        benchmark->Arg(functionCount);
    benchmark->ArgName("functions")->Unit(benchmark::kMillisecond);
}

void ofEachKind(benchmark::internal::Benchmark* benchmark)
{
    for (std::int64_t kind = 0; kind <= static_cast<int>(Transform::Kind::ReplaceTailCallers);
         ++kind)
        benchmark->Args({5000, kind});
    benchmark->ArgNames({"functions", "kind"})->Unit(benchmark::kMillisecond);
}

} // namespace

BENCHMARK(buildCallTree)->Apply(ofEachSize);
BENCHMARK(computeFunctionTable)->Apply(ofEachSize);
BENCHMARK(computeFunctionNodes)->Apply(ofEachSize);
BENCHMARK(openBottomUpTree)->Apply(ofEachSize);
BENCHMARK(openBottomUpTreeOfOneFunction)->Apply(ofEachSize);
BENCHMARK(expandHeaviestFunction)->Apply(ofEachSize)->Iterations(5);
BENCHMARK(computeCallers)->Apply(ofEachSize);
BENCHMARK(transform)->Apply(ofEachKind);
BENCHMARK_MAIN();
