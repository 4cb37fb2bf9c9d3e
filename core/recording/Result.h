// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace perilune {

/// Why an operation failed: a code for programs and a detail for people.
struct Error
{
    enum class Code
    {
        FileNotFound,
        CannotRead,
        CannotWrite,
        NoSpace,
        NotARecording,
        NotASession,
        UnsupportedVersion,
        Damaged,
        CannotStart,
        ScriptFailed,
        InvalidArgument,
        Cancelled,
    };
    Code code = Code::InvalidArgument;
    std::string detail; ///< Names the thing (path, line, errno text); UTF-8, untranslated.
};

/// Either a value or an Error; the caller has to look before it takes the value.
template<typename T>
class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    explicit operator bool() const { return m_state.index() == 0; }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    T&& operator*() && { return std::move(value()); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }
    const Error& error() const
    {
        assert(m_state.index() == 1);
        return *std::get_if<1>(&m_state);
    }

private:
    const T& value() const
    {
        assert(m_state.index() == 0);
        return *std::get_if<0>(&m_state);
    }
    T& value()
    {
        assert(m_state.index() == 0);
        return *std::get_if<0>(&m_state);
    }

    std::variant<T, Error> m_state;
};

template<>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
        , m_failed(true)
    {
    }

    explicit operator bool() const { return !m_failed; }
    const Error& error() const
    {
        assert(m_failed);
        return m_error;
    }

private:
    Error m_error;
    bool m_failed = false;
};

} // namespace perilune
