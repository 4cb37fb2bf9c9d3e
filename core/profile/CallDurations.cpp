// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/CallDurations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace perilune {

namespace {

using format::DurationRecord;

std::vector<DurationStatistics::Bucket> bucketsOf(const DurationRecord& record,
                                                  const TickScale& scale)
{
    std::vector<DurationStatistics::Bucket> buckets;
    for (std::size_t index = 0; index < DurationRecord::bucketCount; ++index) {
        if (record.buckets[index] == 0)
            continue;
        buckets.push_back({scale.duration(DurationRecord::bucketStart(index)),
                           scale.duration(DurationRecord::bucketStart(index + 1)),
                           record.buckets[index]});
    }
    return buckets;
}

/// The duration that `share` of the calls are shorter than.
Duration quantile(const DurationStatistics& statistics, double share)
{
    double left = 0; // calls that are still to be passed over
    for (const DurationStatistics::Bucket& bucket : statistics.buckets)
        left += share * static_cast<double>(bucket.count);
    for (const DurationStatistics::Bucket& bucket : statistics.buckets) {
        const auto count = static_cast<double>(bucket.count);
        if (count < left) {
            left -= count;
            continue;
        }
        const Duration lower = std::max(bucket.lower, statistics.minimum);
        const Duration upper = std::min(bucket.upper, statistics.maximum);
        const double width = static_cast<double>((upper - lower).nanoseconds());
        const auto value = lower + Duration::fromNanoseconds(std::llround(left / count * width));
        return std::max(statistics.minimum, std::min(value, statistics.maximum));
    }
    return statistics.maximum;
}

} // namespace

DurationStatistics summarizeDurations(const DurationRecord& record, const TickScale& scale)
{
    DurationStatistics statistics;
    statistics.count = record.count;
    if (record.count == 0)
        return statistics;
    statistics.minimum = scale.duration(std::min(record.minimumTicks, record.maximumTicks));
    statistics.maximum = scale.duration(record.maximumTicks);
    statistics.buckets = bucketsOf(record, scale);
    statistics.median = quantile(statistics, 0.5);
    statistics.percentile95 = quantile(statistics, 0.95);
    return statistics;
}

} // namespace perilune
