// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/TextTable.h"

#include <algorithm>
#include <utility>

namespace perilune::cli {

namespace {

constexpr const char* columnGap = "  ";

bool startsCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

std::size_t widthOf(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), startsCharacter));
}

/// One line, without what would move the cursor.
std::string printable(std::string text)
{
    std::replace_if(
        text.begin(), text.end(),
        [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }, ' ');
    return text;
}

std::string cut(const std::string& text, std::size_t width)
{
    if (width == 0 || widthOf(text) <= width)
        return text;
    std::string result;
    std::size_t characters = 0;
    for (const char byte : text) {
        if (startsCharacter(byte) && ++characters == width)
            break;
        result += byte;
    }
    return result + "…";
}

} // namespace

void TextTable::addColumn(std::string title, Alignment alignment, std::size_t maximumWidth)
{
    m_columns.push_back({std::move(title), alignment, maximumWidth});
}

void TextTable::addRow(std::vector<std::string> texts)
{
    texts.resize(m_columns.size());
    for (std::size_t column = 0; column < m_columns.size(); ++column)
        texts[column] = cut(printable(std::move(texts[column])), m_columns[column].maximumWidth);
    m_rows.push_back(std::move(texts));
}

std::string TextTable::text() const
{
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        std::size_t width = widthOf(m_columns[column].title);
        for (const auto& row : m_rows)
            width = std::max(width, widthOf(row[column]));
        widths.push_back(width);
    }
    std::string result;
    const auto addLine = [&](const auto& textAt) {
        std::string line;
        for (std::size_t column = 0; column < m_columns.size(); ++column) {
            const std::string& cell = textAt(column);
            const std::string padding(widths[column] - widthOf(cell), ' ');
            const bool isRight = m_columns[column].alignment == Alignment::Right;
            line += column == 0 ? "" : columnGap;
            line += isRight ? padding + cell : cell + padding;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + "\n";
    };
    addLine([&](std::size_t column) -> const std::string& { return m_columns[column].title; });
    for (const auto& row : m_rows)
        addLine([&](std::size_t column) -> const std::string& { return row[column]; });
    return result;
}

} // namespace perilune::cli
