// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts, filters and replaces the functions table with 100,000 functions, as the window shows it;
// prints times, each with painting. Argument: how many functions.
#include "gui/models/Document.h"
#include "gui/models/FunctionOrder.h"
#include "gui/models/FunctionTableModel.h"
#include "gui/views/DataView.h"
#include "gui/views/FunctionsPane.h"
#include "tests/support/TestProfiles.h"

#include <QApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace perilune;

namespace {

constexpr int repetitions = 7;

/// The median time of an action and of the painting that follows it.
void measure(FunctionsPane& pane, const char* name, const std::function<void(int)>& action)
{
    std::vector<double> times;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        const auto start = std::chrono::steady_clock::now();
        action(repetition);
        pane.table().viewport()->repaint();
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;
        times.push_back(taken.count());
    }
    std::sort(times.begin(), times.end());
    std::printf("%-34s %7.1f ms (longest %.1f)\n", name, times[times.size() / 2], times.back());
}

void measureSorts(FunctionsPane& pane)
{
    for (const FunctionColumn column :
         {FunctionColumn::Name, FunctionColumn::SelfTime, FunctionColumn::TotalShare,
          FunctionColumn::Calls, FunctionColumn::MeanTime, FunctionColumn::Location}) {
        const QByteArray name = "sort by " + titleOf(column).toUtf8();
        measure(pane, name.constData(), [&](int repetition) {
            pane.table().sortByColumn(static_cast<int>(column),
                                      repetition % 2 == 0 ? Qt::DescendingOrder
                                                          : Qt::AscendingOrder);
        });
    }
}

void measureFilters(FunctionsPane& pane)
{
    const auto filterBy = [&](const char* name, const QString& text, double share) {
        measure(pane, name, [&](int repetition) {
            FunctionFilter filter;
            filter.text = repetition % 2 == 0 ? text : QString();
            filter.minimumShare = repetition % 2 == 0 ? share : 0.0;
            pane.model().setFilter(filter);
        });
    };
    filterBy("filter by a word, and clear", QStringLiteral("function 7"), 0.0);
    filterBy("filter by a pattern, and clear", QStringLiteral("/[13579]$/"), 0.0);
    filterBy("filter by share, and clear", QString(), 0.0001);
}

} // namespace

int main(int argumentCount, char** arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argumentCount, arguments);
    const auto functions =
        static_cast<std::uint32_t>(argumentCount > 1 ? std::atoi(arguments[1]) : 100000);
    const auto profile = test::largeProfile(functions * 10, functions);
    const auto table = std::make_shared<const FunctionTable>(FunctionTable::compute(*profile));
    const auto order =
        std::make_shared<const FunctionOrder>(FunctionOrder::compute(*profile, *table));
    Document document;
    FunctionsPane pane(document);
    pane.resize(1000, 700);
    pane.show();
    document.setProfile(profile, table);
    document.setCurrentFunction(pane.model().functionAt(10));
    std::printf("%d functions shown\n", pane.model().rowCount());
    measure(pane, "show another profile", [&](int) { document.setProfile(profile, table, order); });
    measureSorts(pane);
    measureFilters(pane);
    return 0;
}
