// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/TableText.h"

#include "gui/models/ItemRoles.h"

#include <QAbstractItemModel>
#include <QStringList>

#include <algorithm>

namespace perilune {

namespace {

int roleOf(TableFormat format)
{
    return format == TableFormat::TabSeparatedExact || format == TableFormat::Csv ? ExactTextRole
                                                                                  : PlainTextRole;
}

QString oneLine(QString text)
{
    for (const char16_t breaking : {u'\t', u'\n', u'\r'})
        text.replace(QChar(breaking), QLatin1Char(' '));
    return text;
}

QString csvField(QString text)
{
    const auto needsQuotes = [](QChar c) {
        return c == QLatin1Char(',') || c == QLatin1Char('"') || c == QLatin1Char('\n')
            || c == QLatin1Char('\r');
    };
    if (std::none_of(text.cbegin(), text.cend(), needsQuotes))
        return text;
    text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QString markdownField(const QString& text)
{
    return oneLine(text).replace(QLatin1Char('|'), QStringLiteral("\\|"));
}

QString lineOf(const QStringList& fields, TableFormat format)
{
    QStringList written;
    for (const QString& field : fields) {
        switch (format) {
        case TableFormat::TabSeparated:
        case TableFormat::TabSeparatedExact:
            written.append(oneLine(field));
            break;
        case TableFormat::Csv:
            written.append(csvField(field));
            break;
        case TableFormat::Markdown:
            written.append(markdownField(field));
            break;
        }
    }
    if (format == TableFormat::Markdown)
        return QStringLiteral("| ") + written.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
    return written.join(format == TableFormat::Csv ? QLatin1Char(',') : QLatin1Char('\t'))
        + QLatin1Char('\n');
}

QString withFallback(const QVariant& wanted, const QVariant& shown)
{
    return wanted.isValid() ? wanted.toString() : shown.toString();
}

QString headerLines(const QAbstractItemModel& model, const QList<int>& columns, TableFormat format)
{
    QStringList titles;
    QStringList rule;
    for (const int column : columns) {
        titles.append(withFallback(model.headerData(column, Qt::Horizontal, roleOf(format)),
                                   model.headerData(column, Qt::Horizontal)));
        const int alignment =
            model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        rule.append((alignment & Qt::AlignRight) != 0 ? QStringLiteral("---:")
                                                      : QStringLiteral("---"));
    }
    QString text = lineOf(titles, format);
    if (format == TableFormat::Markdown)
        text += lineOf(rule, format);
    return text;
}

} // namespace

QString tableText(const QAbstractItemModel& model, const QList<int>& rows,
                  const QList<int>& columns, TableFormat format)
{
    QModelIndexList indexes;
    for (const int row : rows)
        indexes.append(model.index(row, 0));
    return treeText(model, indexes, columns, format);
}

QString treeText(const QAbstractItemModel& model, const QModelIndexList& rows,
                 const QList<int>& columns, TableFormat format)
{
    QString text = headerLines(model, columns, format);
    for (const QModelIndex& row : rows) {
        QStringList fields;
        for (const int column : columns) {
            const QModelIndex index = row.siblingAtColumn(column);
            fields.append(withFallback(index.data(roleOf(format)), index.data()));
        }
        text += lineOf(fields, format);
    }
    return text;
}

} // namespace perilune
