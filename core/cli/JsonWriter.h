// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::cli {

/// Writes JSON (RFC 8259) to a stream as it comes, whatever its size. Text that is no UTF-8 is made
/// so with U+FFFD. The caller opens and closes what it should; write errors stay in the stream.
class JsonWriter
{
public:
    /// How the members of an object or array are laid out.
    enum class Layout
    {
        Lines,
        Inline
    };

    explicit JsonWriter(std::FILE* stream)
        : m_stream(stream)
    {
    }

    void beginObject(Layout layout = Layout::Lines) { begin('{', layout); }
    void endObject() { end('}'); }
    void beginArray(Layout layout = Layout::Lines) { begin('[', layout); }
    void endArray() { end(']'); }
    void key(std::string_view name);

    void value(std::string_view text);
    void value(const std::string& text) { value(std::string_view(text)); }
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool truth) { writeRaw(truth ? "true" : "false"); }
    void value(double number); ///< null for what is no number.
    template<std::integral Integer>
    void value(Integer number)
    {
        writeRaw(std::to_string(number));
    }
    void null() { writeRaw("null"); }

    template<typename Value>
    void member(std::string_view name, const Value& content)
    {
        key(name);
        value(content);
    }

private:
    struct Container
    {
        Layout layout;
        bool isEmpty;
    };

    void begin(char bracket, Layout layout);
    void end(char bracket);
    void writeRaw(std::string_view text);
    void separate();
    void newLine();
    void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), m_stream); }

    std::FILE* m_stream;
    std::vector<Container> m_open;
    bool m_afterKey = false;
};

} // namespace perilune::cli
