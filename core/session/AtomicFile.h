// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Result.h"

#include <string>

namespace perilune {

/// Says that `path` cannot be written because the disk is full.
Error noSpaceError(const std::string& path);

/// A file that is written beside its place and put there only when it is complete and on the disk;
/// until then, and after any error, what was there before stays untouched.
class AtomicFile
{
public:
    /// Makes the empty temporary file in the folder of `path`; a link is followed to its target.
    /// Errors: CannotWrite, NoSpace.
    static Result<AtomicFile> begin(const std::string& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile(); ///< Removes the temporary file unless it was committed.

    const std::string& temporaryPath() const { return m_temporary; }
    /// Flushes the temporary file, which nobody may have open any more, and renames it.
    Result<void> commit();

private:
    AtomicFile(std::string target, std::string temporary);

    std::string m_target;
    std::string m_temporary; ///< Empty once committed.
};

} // namespace perilune
