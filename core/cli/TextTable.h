// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace perilune::cli {

/// A table of text in aligned columns. Texts are UTF-8, a character takes one column of the
/// terminal.
class TextTable
{
public:
    enum class Alignment
    {
        Left,
        Right
    };

    /// A text that is longer than `maximumWidth` is cut with "…"; 0 means no bound.
    void addColumn(std::string title, Alignment alignment, std::size_t maximumWidth = 0);
    /// As many texts as there are columns.
    void addRow(std::vector<std::string> texts);
    /// The whole table, a title line first, no space at the ends of lines.
    std::string text() const;

private:
    struct Column
    {
        std::string title;
        Alignment alignment;
        std::size_t maximumWidth;
    };

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace perilune::cli
