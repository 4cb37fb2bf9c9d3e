// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/ComparisonLoader.h"
#include "gui/models/Document.h"
#include "gui/models/RunChoices.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QPushButton;
class QStackedLayout;
class QTabWidget;
class QToolButton;

namespace perilune {

class CompareFlameView;
class CompareOptionsBar;
class CompareSideBox;
class ComparisonModel;
class DataView;
class EmptyState;
class MessageStrip;
class ScatterChart;
class WaterfallChart;

/// Two runs or groups of runs compared: which ones, whether they are comparable, the verdict, and
/// where the difference lies, as a table, flame graph, scatter and waterfall.
///
/// Follows the document's selection by function key, and moves it.
class ComparePane : public QWidget
{
    Q_OBJECT
public:
    explicit ComparePane(Document& document, QWidget* parent = nullptr);
    ~ComparePane() override;

    /// The runs of the window's session; `file` is where they are stored. What is chosen stays
    /// chosen where it still exists; where nothing was, a sensible pair is.
    void setRuns(const std::vector<RunSummary>& runs, const QString& file);
    /// Compares these runs of the window's session.
    void compareRuns(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b);
    void compareChoices(const RunChoice& a, const RunChoice& b);
    /// Manual matches kept in the session.
    void setManualMatches(const std::vector<ManualMatch>& matches);
    const std::vector<ManualMatch>& manualMatches() const { return m_manual; }
    void swapSides();
    bool isBusy() const { return m_loader->isBusy(); }

    CompareSideBox& sideA() { return *m_sideA; }
    CompareSideBox& sideB() { return *m_sideB; }
    DataView& table() { return *m_table; }
    ComparisonModel& model() { return *m_model; }
    CompareOptionsBar& optionsBar() { return *m_options; }
    CompareFlameView& flame() { return *m_flame; }
    ScatterChart& scatter() { return *m_scatter; }
    WaterfallChart& waterfall() { return *m_waterfall; }
    MessageStrip& banner() { return *m_banner; }
    QTabWidget& tabs() { return *m_tabs; }
    QString verdictText() const;
    QString noticeText() const;

Q_SIGNALS:
    void rowsCopied(int count);
    void manualMatchesChanged();
    /// Run the scripts of both sides again, `repeats` times each.
    void repeatsRequested(const perilune::RunChoice& a, const perilune::RunChoice& b, int repeats);
    /// Enter or a double click on a function: show its source.
    void functionActivated();
    void messageShown(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void createSides();
    void createVerdict();
    void createTable();
    void createTabs();
    void createRowActions();
    void layOut();
    void connectWidgets();

    void loadWhenShown();
    void showComparison(const LoadedComparison& loaded);
    void showBanner(const std::vector<SetUpDifference>& setUp);
    void showVerdict();
    void showFailure(const Error& error);
    void applyOptions();
    void applyFilter();
    void updateNotice();
    void updatePage();
    void chooseFromOtherSession(CompareSideBox& side);
    void selectFunction(std::size_t function);
    void followDocument();
    void breakMatch();
    void matchWithSelected();
    void removeCorrection();
    void setMatch(ManualMatch match);
    void exportPicture();

    Document& m_document;
    ComparisonLoader* m_loader = nullptr;
    LoadedComparison m_loaded;
    std::vector<RunSummary> m_runs;
    QString m_file;
    std::vector<ManualMatch> m_manual;
    bool m_needsLoading = false; ///< Comparing costs time; it waits until the pane is seen.
    bool m_isFollowing = false;
    bool m_isChosenByUser = false;

    CompareSideBox* m_sideA = nullptr;
    CompareSideBox* m_sideB = nullptr;
    QToolButton* m_swap = nullptr;
    MessageStrip* m_banner = nullptr;
    QLabel* m_verdict = nullptr;
    QPushButton* m_runMore = nullptr;
    CompareOptionsBar* m_options = nullptr;
    ComparisonModel* m_model = nullptr;
    DataView* m_table = nullptr;
    QLabel* m_notice = nullptr;
    QPushButton* m_showAll = nullptr;
    QTabWidget* m_tabs = nullptr;
    CompareFlameView* m_flame = nullptr;
    ScatterChart* m_scatter = nullptr;
    WaterfallChart* m_waterfall = nullptr;
    EmptyState* m_empty = nullptr;
    QWidget* m_content = nullptr;
    QStackedLayout* m_stack = nullptr;
};

} // namespace perilune
