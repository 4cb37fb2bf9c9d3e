// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

struct lua_State;

/// Where Lua 5.4 keeps what the recorder has to know at every event, so that no API call is needed.
///
/// These offsets are those of Lua 5.4.0 to 5.4.6 on 64-bit machines. They are not trusted:
/// isLayoutValid() proves each of them against the public API before one is used, and
/// where one does not fit the recorder works through the public API instead.
namespace perilune::layout {

inline constexpr std::size_t callInfoFunction = 0;  ///< StkId func: the called value's stack slot.
inline constexpr std::size_t callInfoPrevious = 16; ///< CallInfo* of the caller.
inline constexpr std::size_t callInfoSavedPc = 32;  ///< Lua function: its next instruction.
inline constexpr std::size_t callInfoTrap = 40; ///< Lua function: int, makes it look at its hooks.
inline constexpr std::size_t callInfoStatus = 62; ///< unsigned short; bit 1: runs a C function.
inline constexpr unsigned statusIsC = 1u << 1;
inline constexpr std::size_t stateCallInfo = 32; ///< lua_State: the running activation.
inline constexpr std::size_t stateHook = 160;
inline constexpr std::size_t stateBaseHookCount = 184;
inline constexpr std::size_t stateHookCount = 188;
inline constexpr std::size_t stateHookMask = 192; ///< volatile int
inline constexpr std::size_t stackValueTag = 8;   ///< Type tag behind the value.
inline constexpr std::size_t closureFunction =
    24; ///< Lua closure: Proto*; C closure: lua_CFunction.
inline constexpr std::size_t protoParameters = 10;
inline constexpr std::size_t protoIsVararg = 11;
inline constexpr std::size_t protoLineInfoSize = 28;
inline constexpr std::size_t protoNestedCount = 32;
inline constexpr std::size_t protoLine = 44;
inline constexpr std::size_t protoLastLine = 48;
inline constexpr std::size_t protoNested = 72; ///< Proto**: nested functions in source order.

inline constexpr unsigned tagMask = 0x3f; ///< Without the bit that marks collectable values.
inline constexpr unsigned tagLuaClosure = 6;
inline constexpr unsigned tagLightCFunction = 6 | 1 << 4;
inline constexpr unsigned tagCClosure = 6 | 2 << 4;

template<typename T>
inline T load(const void* base, std::size_t offset)
{
    T value;
    std::memcpy(&value, static_cast<const char*>(base) + offset, sizeof value);
    return value;
}

inline const void* previous(const void* callInfo)
{
    return load<const void*>(callInfo, callInfoPrevious);
}

template<typename T>
inline void store(void* base, std::size_t offset, T value)
{
    // The running thread reads these while a signal handler or the ticker writes them.
    *reinterpret_cast<volatile T*>(static_cast<char*>(base) + offset) = value;
}

inline const void* runningCallInfo(const lua_State* state)
{
    return load<const void*>(state, stateCallInfo);
}

/// Whether a CallInfo is the one below all activations of its coroutine.
inline bool isBase(const void* callInfo)
{
    return previous(callInfo) == nullptr;
}

/// The identity of the function that an activation runs: its Proto or its C function pointer.
inline std::uint64_t functionKey(const void* callInfo)
{
    const void* slot = load<const void*>(callInfo, callInfoFunction);
    const void* value = load<const void*>(slot, 0);
    const unsigned tag = load<std::uint8_t>(slot, stackValueTag) & tagMask;
    // A light C function is its own identity; both closures keep theirs at one offset.
    if (tag != tagLightCFunction)
        value = load<const void*>(value, closureFunction);
    return reinterpret_cast<std::uintptr_t>(value);
}

inline bool isLuaFunction(const void* callInfo)
{
    const void* slot = load<const void*>(callInfo, callInfoFunction);
    return (load<std::uint8_t>(slot, stackValueTag) & tagMask) == tagLuaClosure;
}

/// Sizes of Lua's own objects, found out from what its allocator is asked for; 0 when not known.
struct ObjectSizes
{
    std::size_t prototype = 0;
    std::size_t thread = 0;
    std::size_t threadOffset = 0; ///< From the start of a thread's block to its lua_State.
};

/// Checks every offset above on functions made for it, in a Lua state of its own. Takes under a
/// millisecond. `sizes` receives the object sizes.
bool isLayoutValid(ObjectSizes& sizes);

} // namespace perilune::layout
