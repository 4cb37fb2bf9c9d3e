// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runner/ScriptRunner.h"

#include <lua.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace perilune {

namespace {

/// The name in front of error messages and in arg[-1]: that of the interpreter we stand in for.
constexpr const char* interpreterName = "lua5.4";

/// State of the one script of this process; reached by signal handlers and exit functions.
struct Run
{
    Recorder recorder;
    lua_State* state = nullptr;
    const std::vector<char*>* script = nullptr;
    RecordingWriter* writer = nullptr;
    const RecorderOptions* options = nullptr;
    format::State outcome = format::State::Finished;
    std::string message; ///< Of the error that reached the top.
    std::string traceback;
    Error startError;
    bool couldNotStart = false;
};

Run* s_run = nullptr;

void printMessage(const char* text)
{
    std::fprintf(stderr, "%s: %s\n", interpreterName, text);
    std::fflush(stderr);
}

/// Without hooks: a long traceback makes calls of its own, which are not the script's.
void pushTraceback(lua_State* state, const char* message)
{
    const lua_Hook hook = lua_gethook(state);
    const int mask = lua_gethookmask(state);
    const int count = lua_gethookcount(state);
    lua_sethook(state, nullptr, 0, 0);
    luaL_traceback(state, state, message, 1);
    lua_sethook(state, hook, mask, count);
}

/// Turns the error value into text with a traceback, as the stand-alone interpreter does.
int addTraceback(lua_State* state)
{
    const char* message = lua_tostring(state, 1);
    if (!message) {
        if (luaL_callmeta(state, 1, "__tostring") != 0 && lua_type(state, -1) == LUA_TSTRING) {
            s_run->message = lua_tostring(state, -1);
            return 1;
        }
        message = lua_pushfstring(state, "(error object is a %s value)", luaL_typename(state, 1));
    }
    s_run->message = message;
    pushTraceback(state, message);
    const char* whole = lua_tostring(state, -1);
    const std::size_t prefix = s_run->message.size();
    s_run->traceback = std::strlen(whole) > prefix ? whole + prefix + 1 : "";
    return 1;
}

void raiseInterrupted(lua_State* state)
{
    luaL_error(state, "interrupted!");
}

void onInterruptSignal(int signal)
{
    std::signal(signal, SIG_DFL); // a second one ends the process
    s_run->recorder.interrupt(raiseInterrupted);
}

/// Ends the process by SIGTERM, as it would have ended without us.
[[noreturn]] void endByTermination()
{
    s_run->recorder.finish(format::State::Stopped, 128 + SIGTERM);
    std::signal(SIGTERM, SIG_DFL);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    ::raise(SIGTERM);
    ::_exit(128 + SIGTERM);
}

void stopScript(lua_State*)
{
    std::fflush(nullptr);
    endByTermination();
}

/// The script is stopped at its next event or instruction, where its output can be flushed. One
/// that is inside a C function is killed by whoever asked; the recording is whole all the same.
void onTerminateSignal(int)
{
    s_run->recorder.interrupt(stopScript);
}

void setSignal(int signal, void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

/// Calls the function below its `argumentCount` arguments with a traceback and with SIGINT caught.
int callFunction(lua_State* state, int argumentCount, int resultCount)
{
    const int handler = lua_gettop(state) - argumentCount;
    lua_pushcfunction(state, addTraceback);
    lua_insert(state, handler);
    setSignal(SIGINT, onInterruptSignal);
    const int status = lua_pcall(state, argumentCount, resultCount, handler);
    s_run->recorder.hostContinues();
    setSignal(SIGINT, SIG_DFL);
    lua_remove(state, handler);
    return status;
}

int report(lua_State* state, int status)
{
    if (status == LUA_OK)
        return status;
    const char* message = lua_tostring(state, -1);
    if (s_run->message.empty())
        s_run->message = message ? message : "";
    printMessage(message ? message : "(error message not a string)");
    lua_pop(state, 1);
    return status;
}

void createArgumentTable(lua_State* state, const std::vector<char*>& script)
{
    lua_createtable(state, static_cast<int>(script.size()) - 1, 2);
    lua_pushstring(state, interpreterName);
    lua_rawseti(state, -2, -1);
    for (std::size_t index = 0; index < script.size(); ++index) {
        lua_pushstring(state, script[index]);
        lua_rawseti(state, -2, static_cast<lua_Integer>(index));
    }
    lua_setglobal(state, "arg");
}

/// Pushes the entries 1… of the global `arg`, which LUA_INIT may have changed.
int pushArguments(lua_State* state)
{
    if (lua_getglobal(state, "arg") != LUA_TTABLE)
        luaL_error(state, "'arg' is not a table");
    const int count = static_cast<int>(luaL_len(state, -1));
    luaL_checkstack(state, count + 3, "too many arguments to script");
    for (int index = 1; index <= count; ++index)
        lua_rawgeti(state, -index, index);
    lua_remove(state, -count - 1);
    return count;
}

int runInit(lua_State* state)
{
    const char* name = "=LUA_INIT_5_4";
    const char* init = std::getenv(name + 1);
    if (!init) {
        name = "=LUA_INIT";
        init = std::getenv(name + 1);
    }
    if (!init)
        return LUA_OK;
    int status = init[0] == '@' ? luaL_loadfile(state, init + 1)
                                : luaL_loadbuffer(state, init, std::strlen(init), name);
    if (status == LUA_OK)
        status = callFunction(state, 0, 0);
    return report(state, status);
}

int runMainScript(lua_State* state, const std::vector<char*>& script)
{
    const char* file = std::strcmp(script[0], "-") == 0 ? nullptr : script[0];
    int status = luaL_loadfile(state, file);
    if (status == LUA_OK) {
        const int count = pushArguments(state);
        status = callFunction(state, count, LUA_MULTRET);
        if (status != LUA_OK)
            s_run->outcome = format::State::ScriptError;
    } else {
        s_run->outcome = format::State::SyntaxError;
    }
    return report(state, status);
}

/// The protected main function; returns true to Lua when all went well.
int protectedMain(lua_State* state)
{
    Run& run = *s_run;
    luaL_checkversion(state);
    luaL_openlibs(state);
    createArgumentTable(state, *run.script);
    lua_gc(state, LUA_GCGEN, 0, 0);
    if (const auto started = run.recorder.start(state, *run.writer, *run.options); !started) {
        run.couldNotStart = true;
        run.startError = started.error();
        return 0;
    }
    run.recorder.hide(addTraceback);
    setSignal(SIGTERM, onTerminateSignal);
    if (runInit(state) != LUA_OK || runMainScript(state, *run.script) != LUA_OK)
        return 0;
    lua_pushboolean(state, 1);
    return 1;
}

/// Called by exit(): the script called os.exit, or it came to its end and all is done already.
void onExit(int code, void*)
{
    s_run->recorder.finish(format::State::Exited, code);
}

} // namespace

int runScript(const std::vector<char*>& script, RecordingWriter& writer,
              const RecorderOptions& options)
{
    s_run = new Run; // never freed: exit functions and signals may come at any time
    s_run->script = &script;
    s_run->writer = &writer;
    s_run->options = &options;
    lua_State* state = luaL_newstate();
    if (!state) {
        printMessage("cannot create state: not enough memory");
        return EXIT_FAILURE;
    }
    s_run->state = state;
    ::on_exit(onExit, nullptr);
    lua_pushcfunction(state, protectedMain);
    const int status = lua_pcall(state, 0, 1, 0);
    const bool isGood = lua_toboolean(state, -1) != 0;
    if (s_run->couldNotStart) {
        printMessage(s_run->startError.detail.c_str());
        return EXIT_FAILURE;
    }
    report(state, status);
    s_run->recorder.scriptEnded();
    lua_close(state);
    s_run->recorder.stateClosed();
    const int code = isGood && status == LUA_OK ? EXIT_SUCCESS : EXIT_FAILURE;
    if (code != EXIT_SUCCESS && s_run->outcome == format::State::Finished)
        s_run->outcome = format::State::ScriptError;
    s_run->recorder.finish(s_run->outcome, code, s_run->message, s_run->traceback);
    return code;
}

} // namespace perilune
