// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/TimeText.h"

#include <array>
#include <ctime>

namespace perilune::cli {

std::string isoTime(std::int64_t unixMilliseconds)
{
    const auto milliseconds = ((unixMilliseconds % 1000) + 1000) % 1000;
    const std::time_t seconds = (unixMilliseconds - milliseconds) / 1000;
    std::tm utc = {};
    ::gmtime_r(&seconds, &utc);
    std::array<char, 32> date = {};
    std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &utc);
    const std::string fraction = std::to_string(1000 + milliseconds).substr(1);
    return std::string(date.data()) + "." + fraction + "Z";
}

} // namespace perilune::cli
