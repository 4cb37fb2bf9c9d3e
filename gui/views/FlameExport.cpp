// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameExport.h"

#include "gui/views/FlameCanvas.h"
#include "gui/views/FlameLegend.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>

#include <algorithm>

namespace perilune {

namespace {

constexpr int narrowestPicture = 900;
constexpr int highestPicture = 12'000;
constexpr int headHeight = 30;
constexpr int footHeight = 26;
constexpr int margin = 8;
constexpr int narrowestWithTitle = 1;

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(perilune::FlameExport)
public:
    static QString tooLarge() { return tr("The picture is too large."); }

    /// The title, and how many levels did not fit.
    static QString headline(const FlameCanvas& canvas, const QString& title)
    {
        const FlameGeometry geometry = canvas.geometryOfView();
        const int shown = canvas.wholeHeight(highestPicture) / geometry.rowHeight;
        const int omitted = static_cast<int>(geometry.levelCount) - shown;
        if (omitted <= 0)
            return title;
        return tr("%1 · %Ln deeper level(s) not drawn", nullptr, omitted).arg(title);
    }
};

/// Writes the spans of a layout as shapes, without a painter, so that each can have a title.
class SvgWriter
{
public:
    SvgWriter(FlameCanvas& canvas, int width)
        : m_canvas(canvas)
        , m_labels(canvas.profile(), canvas.font())
        , m_marks(canvas.pictureMarks())
        , m_colors(*canvas.layout(), *canvas.scheme(), m_labels, m_marks, canvas.palette())
        , m_geometry(canvas.geometryOfView())
    {
        m_geometry.width = width - 2 * margin;
        m_geometry.height = std::max(canvas.wholeHeight(highestPicture), 1);
        m_geometry.levelCount =
            static_cast<std::uint32_t>(m_geometry.height / m_geometry.rowHeight);
        m_geometry.scroll = 0;
        m_geometry.pixelRatio = 10.0; // coordinates with one decimal
    }

    QByteArray write(const QString& title)
    {
        const int width = m_geometry.width + 2 * margin;
        const int height = headHeight + m_geometry.height + footHeight;
        const QPalette palette = m_canvas.palette();
        m_out += QStringLiteral(
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" "
                     "viewBox=\"0 0 %1 %2\" font-family=\"%4, sans-serif\" font-size=\"%5\">\n"
                     "<rect width=\"100%\" height=\"100%\" fill=\"%3\"/>\n")
                     .arg(width)
                     .arg(height)
                     .arg(palette.color(QPalette::Base).name())
                     .arg(m_canvas.font().family().toHtmlEscaped())
                     .arg(QFontInfo(m_canvas.font()).pixelSize());
        m_text = palette.color(QPalette::Text).name();
        writeText(margin, 20, Text::headline(m_canvas, title), m_text);
        m_out += QStringLiteral("<g transform=\"translate(%1,%2)\">\n").arg(margin).arg(headHeight);
        for (std::uint32_t level = 0; level < m_geometry.levelCount; ++level)
            writeLevel(level);
        m_out += QStringLiteral("</g>\n");
        writeLegend(headHeight + m_geometry.height + 17, width);
        m_out += QStringLiteral("</svg>\n");
        return m_out.toUtf8();
    }

private:
    void writeText(double x, double y, const QString& text, const QString& color)
    {
        m_out += QStringLiteral("<text x=\"%1\" y=\"%2\" fill=\"%3\">%4</text>\n")
                     .arg(QString::number(x, 'f', 1), QString::number(y, 'f', 1), color,
                          text.toHtmlEscaped());
    }

    void writeLevel(std::uint32_t level)
    {
        // Half a pixel of the picture can still be seen when it is enlarged.
        std::vector<FlameSpan> spans;
        m_canvas.layout()->findSpans(level, m_geometry.from, m_geometry.to,
                                     0.5 * m_geometry.unitsPerPixel(), spans);
        for (const FlameSpan& span : spans)
            writeSpan(level, span);
    }

    void writeSpan(std::uint32_t level, const FlameSpan& span)
    {
        const double from = std::max(static_cast<double>(span.start), m_geometry.from);
        const double to = std::min(static_cast<double>(span.end), m_geometry.to);
        const QRectF box = m_geometry.rectOf(level, from, to);
        const QColor color(m_colors.colorOf(span, level));
        m_out += QStringLiteral("<g>");
        if (box.width() >= narrowestWithTitle)
            m_out +=
                QStringLiteral("<title>%1</title>").arg(m_canvas.describe(span).toHtmlEscaped());
        const double gap = box.width() > 3.0 ? 0.5 : 0.0;
        m_out += QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" fill=\"%5\"/>")
                     .arg(QString::number(box.left(), 'f', 1), QString::number(box.top(), 'f', 1),
                          QString::number(box.width() - gap, 'f', 1),
                          QString::number(box.height() - 1.0, 'f', 1), color.name());
        if (!span.isMerged)
            writeLabel(box, span, color);
        m_out += QStringLiteral("</g>\n");
    }

    void writeLabel(const QRectF& box, const FlameSpan& span, const QColor& background)
    {
        const FunctionId function =
            m_canvas.layout()->tree().function(m_canvas.layout()->node(span.firstBar));
        const QStaticText* text = m_labels.find(function, static_cast<int>(box.width()) - 8);
        if (text) {
            writeText(box.left() + 4.0, box.top() + box.height() / 2.0 + 4.0, text->text(),
                      QColor(textColorOn(background.rgb())).name());
        }
    }

    void writeLegend(int y, int width)
    {
        const FlameScheme::Legend legend = m_canvas.scheme()->legend();
        const std::vector<FlameScheme::LegendEntry>& entries =
            legend.gradient.empty() ? legend.entries : legend.gradient;
        double x = margin;
        writeText(x, y, legend.title, m_text);
        x += m_labels.widthOf(legend.title) + 16;
        for (const FlameScheme::LegendEntry& entry : entries) {
            const double next = x + 16 + m_labels.widthOf(entry.text) + 16;
            if (next > width)
                break;
            m_out +=
                QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"11\" height=\"11\" fill=\"%3\"/>")
                    .arg(QString::number(x, 'f', 1))
                    .arg(y - 10)
                    .arg(entry.color.name());
            writeText(x + 16, y, entry.text, m_text);
            x = next;
        }
    }

    FlameCanvas& m_canvas;
    FlameLabels m_labels;
    FlameMarks m_marks;
    FlamePainter m_colors;
    FlameGeometry m_geometry;
    QString m_out;
    QString m_text; ///< Colour of text on the background.
};

QSize pictureSize(const FlameCanvas& canvas)
{
    const int width = std::max(canvas.viewport()->width(), narrowestPicture);
    return {width, headHeight + canvas.wholeHeight(highestPicture) + footHeight};
}

void paintPicture(QPainter& painter, FlameCanvas& canvas, const QString& title, const QSize& size)
{
    const QPalette palette = canvas.palette();
    painter.fillRect(QRect(QPoint(), size), palette.color(QPalette::Base));
    painter.setFont(canvas.font());
    painter.setPen(palette.color(QPalette::Text));
    painter.drawText(QRect(margin, 0, size.width() - 2 * margin, headHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, Text::headline(canvas, title));
    painter.save();
    painter.translate(margin, headHeight);
    painter.setClipRect(0, 0, size.width() - 2 * margin, size.height() - headHeight - footHeight);
    canvas.paintWhole(painter, size.width() - 2 * margin, highestPicture);
    painter.restore();
    FlameLegend legend;
    legend.setPalette(palette);
    legend.setScheme(canvas.scheme());
    painter.setFont(canvas.font());
    legend.paintLine(
        painter, QRect(margin, size.height() - footHeight, size.width() - 2 * margin, footHeight));
}

QString writeBytes(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return file.errorString();
    return {};
}

QString writePng(FlameCanvas& canvas, const QString& title, const QString& path)
{
    constexpr int scale = 2;
    const QSize size = pictureSize(canvas);
    QImage image(size * scale, QImage::Format_RGB32);
    if (image.isNull())
        return Text::tooLarge();
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paintPicture(painter, canvas, title, size);
    painter.end();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || !image.save(&file, "PNG") || !file.commit())
        return file.errorString();
    return {};
}

QString writePdf(FlameCanvas& canvas, const QString& title, const QString& path)
{
    const QSize size = pictureSize(canvas);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return file.errorString();
    QPdfWriter writer(&file);
    writer.setTitle(title);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize::Point, {}, QPageSize::ExactMatch));
    QPainter painter(&writer);
    const double scale = painter.viewport().width() / static_cast<double>(size.width());
    painter.scale(scale, scale);
    paintPicture(painter, canvas, title, size);
    painter.end();
    return file.commit() ? QString() : file.errorString();
}

} // namespace

QByteArray flameSvg(FlameCanvas& canvas, const QString& title, int width)
{
    return SvgWriter(canvas, width).write(title);
}

QString writeFlamePicture(FlameCanvas& canvas, const QString& title, FlamePicture kind,
                          const QString& path)
{
    switch (kind) {
    case FlamePicture::Svg:
        return writeBytes(path, flameSvg(canvas, title, pictureSize(canvas).width()));
    case FlamePicture::Png:
        return writePng(canvas, title, path);
    case FlamePicture::Pdf:
        break;
    }
    return writePdf(canvas, title, path);
}

} // namespace perilune
