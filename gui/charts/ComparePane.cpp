// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/charts/ComparePane.h"

#include "core/session/Session.h"
#include "gui/charts/ScatterChart.h"
#include "gui/charts/WaterfallChart.h"
#include "gui/models/CompareText.h"
#include "gui/models/ComparisonModel.h"
#include "gui/views/CompareColors.h"
#include "gui/views/CompareDelegate.h"
#include "gui/views/CompareFlameView.h"
#include "gui/views/CompareOptionsBar.h"
#include "gui/views/CompareSideBox.h"
#include "gui/views/DataView.h"
#include "gui/views/EmptyState.h"
#include "gui/views/FlameCanvas.h"
#include "gui/views/FlameExport.h"
#include "gui/views/MessageStrip.h"

#include <QAction>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QStackedLayout>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

std::vector<Metric> metricsOfBoth(const MatchedRuns& runs)
{
    std::vector<Metric> metrics;
    for (const Metric metric :
         {Metric::Time, Metric::RawTime, Metric::Samples, Metric::Bytes, Metric::Blocks}) {
        const auto has = [metric](const ComparedRun& run) {
            return run.profile->tree->has(metric);
        };
        if (metric == Metric::Time
            || (std::all_of(runs.a().begin(), runs.a().end(), has)
                && std::all_of(runs.b().begin(), runs.b().end(), has)))
            metrics.push_back(metric);
    }
    return metrics;
}

bool stillExists(const RunChoice& choice, const std::vector<RunSummary>& runs, const QString& file)
{
    if (choice.file != file)
        return QFileInfo::exists(choice.file);
    return std::all_of(choice.runs.begin(), choice.runs.end(), [&runs](std::int64_t id) {
        return std::any_of(runs.begin(), runs.end(),
                           [id](const RunSummary& run) { return run.id == id; });
    });
}

} // namespace

ComparePane::ComparePane(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_loader(new ComparisonLoader(this))
{
    createSides();
    createVerdict();
    createTable();
    createTabs();
    createRowActions();
    layOut();
    connectWidgets();
    updatePage();
}

ComparePane::~ComparePane() = default;

void ComparePane::createSides()
{
    m_sideA = new CompareSideBox(tr("A"), tr("Baseline"), this);
    m_sideB = new CompareSideBox(tr("B"), tr("Changed"), this);
    m_swap = new QToolButton(this);
    m_swap->setText(QStringLiteral("⇄"));
    m_swap->setAccessibleName(tr("Swap A and B"));
    m_swap->setToolTip(tr("Swap A and B (Ctrl+Shift+X)"));
    m_swap->setAutoRaise(true);
    m_banner = new MessageStrip(this);
}

void ComparePane::createVerdict()
{
    m_verdict = new QLabel(this);
    m_verdict->setAccessibleName(tr("Verdict"));
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_verdict->setWordWrap(true);
    m_runMore = new QPushButton(tr("Run each 5 times"), this);
    m_runMore->setToolTip(
        tr("Runs both scripts again with one warm-up run each, and compares the groups."));
    m_runMore->hide();
}

void ComparePane::createTable()
{
    m_options = new CompareOptionsBar(this);
    m_model = new ComparisonModel(this);
    m_table = new DataView(this);
    m_table->setAccessibleName(tr("Compared functions"));
    m_table->setItemDelegate(new CompareDelegate(m_table));
    m_table->setUp(m_model, defaultCompareColumnCount, static_cast<int>(CompareColumn::Delta),
                   Qt::DescendingOrder);
    m_table->setColumnWidths({30, 11, 11, 16, 10, 9, 16, 18, 16, 26, 22, 10});
    m_notice = new QLabel(this);
    m_notice->setForegroundRole(QPalette::PlaceholderText);
    m_showAll = new QPushButton(tr("Show all"), this);
    m_showAll->setFlat(true);
}

void ComparePane::createTabs()
{
    m_flame = new CompareFlameView(this);
    m_scatter = new ScatterChart(this);
    m_waterfall = new WaterfallChart(this);

    auto* tablePage = new QWidget(this);
    auto* noticeRow = new QHBoxLayout;
    noticeRow->setContentsMargins(8, 3, 8, 3);
    noticeRow->addWidget(m_notice);
    noticeRow->addWidget(m_showAll);
    noticeRow->addStretch(1);
    auto* layout = new QVBoxLayout(tablePage);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_table, 1);
    layout->addLayout(noticeRow);

    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Views of the comparison"));
    m_tabs->addTab(tablePage, tr("Table"));
    m_tabs->addTab(m_flame, tr("Flame graph"));
    m_tabs->addTab(m_scatter, tr("Scatter"));
    m_tabs->addTab(m_waterfall, tr("Where it went"));
    auto* picture = new QToolButton(m_tabs);
    picture->setText(tr("Save picture…"));
    picture->setAutoRaise(true);
    connect(picture, &QToolButton::clicked, this, &ComparePane::exportPicture);
    m_tabs->setCornerWidget(picture);
    connect(m_tabs, &QTabWidget::currentChanged, picture,
            [picture](int index) { picture->setEnabled(index > 0); });
    picture->setEnabled(false);
}

void ComparePane::createRowActions()
{
    auto* confirm = new QAction(tr("&Match with…"), this);
    confirm->setToolTip(tr("Says which function of the other side this one is."));
    auto* breakIt = new QAction(tr("&Break this match"), this);
    auto* reset = new QAction(tr("&Remove corrections of this function"), this);
    connect(confirm, &QAction::triggered, this, &ComparePane::matchWithSelected);
    connect(breakIt, &QAction::triggered, this, &ComparePane::breakMatch);
    connect(reset, &QAction::triggered, this, &ComparePane::removeCorrection);
    m_table->setRowActions({confirm, breakIt, reset});
}

void ComparePane::layOut()
{
    auto* sides = new QHBoxLayout;
    sides->setContentsMargins(6, 6, 6, 6);
    sides->addWidget(m_sideA, 1);
    sides->addWidget(m_swap);
    sides->addWidget(m_sideB, 1);
    auto* verdictRow = new QHBoxLayout;
    verdictRow->setContentsMargins(12, 6, 8, 4);
    verdictRow->addWidget(m_verdict, 1);
    verdictRow->addWidget(m_runMore);

    m_content = new QWidget(this);
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(0);
    content->addWidget(m_banner);
    content->addLayout(verdictRow);
    content->addWidget(m_options);
    content->addWidget(m_tabs, 1);

    m_empty = new EmptyState(this);
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_content);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(sides);
    layout->addLayout(m_stack, 1);
}

void ComparePane::connectWidgets()
{
    for (CompareSideBox* side : {m_sideA, m_sideB}) {
        connect(side, &CompareSideBox::choiceChanged, this, [this] {
            m_isChosenByUser = true;
            loadWhenShown();
        });
        connect(side, &CompareSideBox::otherSessionRequested, this,
                [this, side] { chooseFromOtherSession(*side); });
    }
    connect(m_swap, &QToolButton::clicked, this, &ComparePane::swapSides);
    auto* swap = new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X), this);
    swap->setContext(Qt::WidgetWithChildrenShortcut);
    connect(swap, &QShortcut::activated, this, &ComparePane::swapSides);
    connect(m_loader, &ComparisonLoader::loaded, this, &ComparePane::showComparison);
    connect(m_loader, &ComparisonLoader::failed, this, &ComparePane::showFailure);
    connect(m_loader, &ComparisonLoader::busyChanged, this, [this] { updatePage(); });
    connect(m_options, &CompareOptionsBar::optionsChanged, this, &ComparePane::applyOptions);
    connect(m_options, &CompareOptionsBar::filterChanged, this, &ComparePane::applyFilter);
    connect(m_showAll, &QPushButton::clicked, m_options, &CompareOptionsBar::clearFilter);
    connect(m_runMore, &QPushButton::clicked, this, [this] {
        const auto repeats = static_cast<int>(m_options->options().rules.minimumRuns);
        Q_EMIT repeatsRequested(m_sideA->choice(), m_sideB->choice(), repeats);
    });
    connect(m_table, &DataView::rowsCopied, this, &ComparePane::rowsCopied);
    connect(m_table, &DataView::rowActivated, this, &ComparePane::functionActivated);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (!m_isFollowing && index.isValid())
                    selectFunction(m_model->functionAt(index.row()));
            });
    connect(m_flame, &CompareFlameView::functionChosen, this, &ComparePane::selectFunction);
    connect(m_scatter, &ScatterChart::functionChosen, this, &ComparePane::selectFunction);
    connect(m_waterfall, &WaterfallChart::functionChosen, this, &ComparePane::selectFunction);
    connect(&m_document, &Document::currentFunctionChanged, this, &ComparePane::followDocument);
}

// Choosing

void ComparePane::setRuns(const std::vector<RunSummary>& runs, const QString& file)
{
    m_runs = runs;
    m_file = file;
    const std::vector<RunChoice> choices = runChoices(runs, file);
    const bool isKept = m_isChosenByUser && stillExists(m_sideA->choice(), runs, file)
        && stillExists(m_sideB->choice(), runs, file);
    const RunChoice oldA = m_sideA->choice();
    const RunChoice oldB = m_sideB->choice();
    if (!isKept) {
        m_isChosenByUser = false;
        const RunChoicePair pair = defaultPair(runs, file);
        m_sideA->setChoice({});
        m_sideB->setChoice({});
        m_sideA->setChoices(choices);
        m_sideB->setChoices(choices);
        m_sideA->setChoice(pair.a);
        m_sideB->setChoice(pair.b);
    } else {
        m_sideA->setChoices(choices);
        m_sideB->setChoices(choices);
    }
    if (!(m_sideA->choice() == oldA) || !(m_sideB->choice() == oldB))
        loadWhenShown();
    updatePage();
}

void ComparePane::compareRuns(const std::vector<std::int64_t>& a,
                              const std::vector<std::int64_t>& b)
{
    compareChoices(choiceOfRuns(m_runs, a, m_file), choiceOfRuns(m_runs, b, m_file));
}

void ComparePane::compareChoices(const RunChoice& a, const RunChoice& b)
{
    m_isChosenByUser = true;
    m_sideA->setChoice(a);
    m_sideB->setChoice(b);
    loadWhenShown();
}

void ComparePane::swapSides()
{
    const RunChoice a = m_sideA->choice();
    compareChoices(m_sideB->choice(), a);
}

void ComparePane::chooseFromOtherSession(CompareSideBox& side)
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Choose a session"), QFileInfo(m_file).path(),
                                     tr("Perilune sessions (*.perilune);;All files (*)"));
    if (path.isEmpty())
        return;
    const Result<Session> session = Session::open(path.toStdString());
    const Result<std::vector<RunSummary>> runs =
        session ? session->runs() : Result<std::vector<RunSummary>>(session.error());
    if (!runs) {
        showFailure(runs.error());
        return;
    }
    const std::vector<RunChoice> choices = runChoices(*runs, path);
    QStringList titles;
    for (const RunChoice& choice : choices)
        titles << choice.title;
    bool isChosen = false;
    const QString title = QInputDialog::getItem(
        this, tr("Choose a run"), QFileInfo(path).fileName(), titles, 0, false, &isChosen);
    const auto index = titles.indexOf(title);
    if (!isChosen || index < 0)
        return;
    m_isChosenByUser = true;
    side.setChoice(choices[static_cast<std::size_t>(index)]);
    loadWhenShown();
}

// Loading

void ComparePane::loadWhenShown()
{
    if (m_sideA->choice().isEmpty() || m_sideB->choice().isEmpty()) {
        m_loader->clear();
        showComparison({});
        return;
    }
    m_needsLoading = !isVisible();
    if (!m_needsLoading)
        m_loader->load(m_sideA->choice(), m_sideB->choice(), m_manual, m_options->options());
}

void ComparePane::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_needsLoading)
        loadWhenShown();
}

void ComparePane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_loaded.comparison)
        showVerdict();
}

void ComparePane::setManualMatches(const std::vector<ManualMatch>& matches)
{
    if (matches == m_manual)
        return;
    m_manual = matches;
    if (m_loaded.comparison)
        m_loader->rematch(m_manual, m_options->options());
}

void ComparePane::applyOptions()
{
    if (m_loaded.comparison)
        m_loader->compute(m_options->options());
}

void ComparePane::showComparison(const LoadedComparison& loaded)
{
    const std::size_t selected = m_table->currentIndex().isValid()
        ? m_model->functionAt(m_table->currentIndex().row())
        : SIZE_MAX;
    const bool isSameRuns = m_loaded.comparison && loaded.comparison
        && &m_loaded.comparison->runs() == &loaded.comparison->runs();
    m_loaded = loaded;
    {
        const QScopedValueRollback following(m_isFollowing, true);
        m_model->setComparison(loaded.comparison);
    }
    m_flame->setComparison(loaded.comparison, loaded.tree);
    m_scatter->setComparison(loaded.comparison);
    m_waterfall->setComparison(loaded.comparison);
    if (loaded.comparison) {
        m_options->setMetrics(metricsOfBoth(loaded.comparison->runs()));
        showVerdict();
        showBanner(loaded.setUp);
    }
    updateNotice();
    updatePage();
    if (isSameRuns && selected != SIZE_MAX)
        selectFunction(selected);
    else
        followDocument();
}

void ComparePane::showFailure(const Error& error)
{
    m_banner->showMessage(
        MessageStrip::Kind::Error,
        tr("These runs cannot be compared: %1").arg(QString::fromStdString(error.detail)));
}

// Showing

void ComparePane::showBanner(const std::vector<SetUpDifference>& setUp)
{
    QStringList warnings;
    QStringList expected;
    for (const SetUpDifference& difference : setUp)
        (difference.weight == SetUpWeight::Warning ? warnings : expected) << setUpText(difference);
    if (!warnings.isEmpty())
        m_banner->showMessage(
            MessageStrip::Kind::Warning,
            tr("Not the same set-up, which may explain a difference by itself. %1.")
                .arg((warnings + expected).join(QStringLiteral("; "))));
    else if (!expected.isEmpty())
        m_banner->showMessage(MessageStrip::Kind::Information,
                              tr("What was changed: %1.").arg(expected.join(QStringLiteral("; "))));
    else
        m_banner->clear();
}

void ComparePane::showVerdict()
{
    const Comparison& comparison = *m_loaded.comparison;
    const Verdict verdict = comparison.whole().verdict;
    const CompareColors colors(palette());
    QPalette colored = palette();
    if (isClear(verdict))
        colored.setColor(QPalette::WindowText,
                         verdict == Verdict::Slower ? colors.slowerText() : colors.fasterText());
    m_verdict->setPalette(colored);
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(font().pointSizeF() * 1.15);
    m_verdict->setFont(bold);
    m_verdict->setText(verdictLine(comparison));
    m_verdict->setToolTip(verdictDetails(comparison.whole(), comparison.options()));
    m_runMore->setVisible(verdict == Verdict::TooFewRuns);
    m_runMore->setText(tr("Run each %1 times").arg(comparison.options().rules.minimumRuns));
}

QString ComparePane::verdictText() const
{
    return m_verdict->text();
}

QString ComparePane::noticeText() const
{
    return m_notice->text();
}

void ComparePane::applyFilter()
{
    {
        const QScopedValueRollback following(m_isFollowing, true);
        m_model->setFilter(m_options->filter());
    }
    updateNotice();
    followDocument();
}

void ComparePane::updateNotice()
{
    const int shown = m_model->rowCount();
    const int all = m_model->allCount();
    QString text = m_model->filterProblem();
    if (text.isEmpty() && m_loaded.comparison) {
        text = shown == all ? tr("%Ln function(s)", nullptr, all)
                            : tr("Showing %1 of %Ln function(s)", nullptr, all).arg(shown);
        if (m_model->filter().hidesUnchanged && m_model->unchangedCount() > 0)
            text += tr(", %Ln unchanged hidden", nullptr, m_model->unchangedCount());
        text += QStringLiteral(" · ") + comparedTitle(m_loaded.comparison->options());
    }
    m_notice->setText(text);
    m_showAll->setVisible(shown < all);
}

void ComparePane::updatePage()
{
    const bool hasRuns = !m_sideA->choice().isEmpty() && !m_sideB->choice().isEmpty();
    m_swap->setEnabled(hasRuns);
    if (!hasRuns) {
        m_empty->setContent(tr("Nothing to compare yet"),
                            tr("Run a script twice, or choose a run on each side above."));
    } else if (!m_loaded.comparison) {
        m_empty->setContent(m_loader->isBusy() ? tr("Comparing…") : QString(), {});
    }
    m_stack->setCurrentWidget(m_loaded.comparison && hasRuns ? m_content
                                                             : static_cast<QWidget*>(m_empty));
}

// Selection

void ComparePane::selectFunction(std::size_t function)
{
    if (!m_loaded.comparison || function >= m_loaded.comparison->runs().functions().size())
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    m_flame->setCurrentFunction(function);
    m_scatter->setCurrentFunction(function);
    m_waterfall->setCurrentFunction(function);
    if (const int row = m_model->rowOf(function);
        row >= 0 && row != m_table->currentIndex().row()) {
        m_table->selectionModel()->setCurrentIndex(m_model->index(row, 0),
                                                   QItemSelectionModel::ClearAndSelect
                                                       | QItemSelectionModel::Rows);
        m_table->scrollTo(m_model->index(row, 0));
    }
    const MatchedFunction& matched = m_loaded.comparison->runs().functions()[function];
    const Profile& profile = *m_document.profile();
    for (const std::optional<MatchedSide>* side : {&matched.b, &matched.a}) {
        if (!*side)
            continue;
        for (std::uint32_t id = 0; id < profile.functions.size(); ++id) {
            if (profile.key(FunctionId(id)) != (*side)->key)
                continue;
            m_document.setCurrentFunction(FunctionId(id));
            return;
        }
    }
}

/// Shows the document's function, found by its key on either side.
void ComparePane::followDocument()
{
    const FunctionId current = m_document.currentFunction();
    if (m_isFollowing || !m_loaded.comparison || !current.isValid())
        return;
    const std::string key = m_document.profile()->key(current);
    const std::vector<MatchedFunction>& functions = m_loaded.comparison->runs().functions();
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const bool isB = functions[i].b && functions[i].b->key == key;
        if (isB || (functions[i].a && functions[i].a->key == key)) {
            selectFunction(i);
            return;
        }
    }
}

// Corrections

void ComparePane::setMatch(ManualMatch match)
{
    std::erase_if(m_manual, [&match](const ManualMatch& old) {
        return (!match.keyA.empty() && old.keyA == match.keyA)
            || (!match.keyB.empty() && old.keyB == match.keyB);
    });
    m_manual.push_back(std::move(match));
    m_loader->rematch(m_manual, m_options->options());
    Q_EMIT manualMatchesChanged();
}

void ComparePane::breakMatch()
{
    const int row = m_table->currentIndex().row();
    if (row < 0)
        return;
    const MatchedFunction& function = m_loaded.comparison->functionOf(m_model->rowAt(row));
    if (function.a && function.b)
        setMatch({function.a->key, std::string()});
}

void ComparePane::removeCorrection()
{
    const int row = m_table->currentIndex().row();
    if (row < 0)
        return;
    const MatchedFunction& function = m_loaded.comparison->functionOf(m_model->rowAt(row));
    const auto removed = std::erase_if(m_manual, [&function](const ManualMatch& match) {
        return (function.a && function.a->key == match.keyA)
            || (function.b && function.b->key == match.keyB);
    });
    if (removed == 0)
        return;
    m_loader->rematch(m_manual, m_options->options());
    Q_EMIT manualMatchesChanged();
}

/// Asks which function of the other side the current one is; those without a partner come first.
void ComparePane::matchWithSelected()
{
    const int row = m_table->currentIndex().row();
    if (row < 0)
        return;
    const MatchedFunction& function = m_loaded.comparison->functionOf(m_model->rowAt(row));
    const bool seeksB = function.a.has_value();
    const MatchedSide& own = seeksB ? *function.a : *function.b;
    QStringList titles;
    std::vector<std::string> keys;
    for (const bool wantsAlone : {true, false}) {
        for (const MatchedFunction& other : m_loaded.comparison->runs().functions()) {
            const std::optional<MatchedSide>& side = seeksB ? other.b : other.a;
            const bool isAlone = !(seeksB ? other.a : other.b);
            if (!side || isAlone != wantsAlone || other.kind != function.kind)
                continue;
            titles << QStringLiteral("%1 · %2").arg(QString::fromStdString(side->name),
                                                    QString::fromStdString(side->location));
            keys.push_back(side->key);
        }
    }
    bool isChosen = false;
    const QString title = QInputDialog::getItem(
        this, tr("Match functions"),
        tr("%1 of %2 is, on the other side:")
            .arg(QString::fromStdString(own.name), seeksB ? tr("A") : tr("B")),
        titles, 0, false, &isChosen);
    const auto index = titles.indexOf(title);
    if (!isChosen || index < 0)
        return;
    const std::string& key = keys[static_cast<std::size_t>(index)];
    setMatch(seeksB ? ManualMatch{own.key, key} : ManualMatch{key, own.key});
}

void ComparePane::exportPicture()
{
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save picture"), QStringLiteral("compare.svg"),
                                     tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf)"));
    if (path.isEmpty())
        return;
    QString problem;
    if (m_tabs->currentWidget() == m_flame) {
        const QString suffix = QFileInfo(path).suffix().toLower();
        const FlamePicture kind = suffix == QStringLiteral("png") ? FlamePicture::Png
            : suffix == QStringLiteral("pdf")                     ? FlamePicture::Pdf
                                                                  : FlamePicture::Svg;
        problem = writeFlamePicture(m_flame->canvas(), verdictText(), kind, path);
    } else if (m_tabs->currentWidget() == m_scatter) {
        problem = m_scatter->writePicture(path);
    } else {
        problem = m_waterfall->writePicture(path);
    }
    Q_EMIT messageShown(problem.isEmpty() ? tr("Saved %1").arg(QFileInfo(path).fileName())
                                          : problem);
}

} // namespace perilune
