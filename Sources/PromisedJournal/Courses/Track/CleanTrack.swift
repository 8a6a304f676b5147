package import PromisedDomain

/// A way without invalid points and without invalid times.
///
/// Positions of ``NullIsland`` are dropped first. Then, per segment, in this order:
/// 1. A time before 1990 or more than a day ahead is invalid.
/// 2. A point that repeats the one before it in every field is dropped.
/// 3. Times that are not in order with most others are dropped; see ``SoundTimes``. The points stay in their order, and
///    step 2 is repeated.
/// 4. Points with an accuracy above 100 m are dropped.
/// 5. Points that no movement can reach are dropped; see ``OutlierRemoval`` and ``TrackSteps``. The segment is split
///    where no movement connects the remaining points.
/// 6. Invalid altitudes are dropped; see ``SoundAltitudes``.
///
/// Cleaning a clean track again changes nothing.
package struct CleanTrack: Hashable, Sendable {
    /// Times before this are invalid: 1990-01-01T00:00:00Z.
    static let earliestTime = Instant(milliseconds: 631_152_000_000)
    /// Times further ahead of the server's clock are invalid.
    static let largestLead = TimeSpan.days(1)
    /// Points that are less accurate are dropped, in metres.
    static let largestAccuracyMetres = 100.0

    /// The points that remain.
    package let track: Track
    /// The number of dropped points.
    package let dropped: Int

    /// Cleans a way at `now`; times too far ahead of it are invalid.
    package init(_ raw: Track, at now: Instant) {
        var clean: [TrackPoint] = []
        clean.reserveCapacity(raw.points.count)
        let elsewhere = Track(NullIsland.removed(from: raw.points))
        var number = 0
        for segment in elsewhere.segments {
            for part in SegmentCleaning(elsewhere.points[segment], latest: now + CleanTrack.largestLead).parts {
                clean += part.lazy.map { point in
                    var point = point
                    point.segment = number
                    return point
                }
                number += 1
            }
        }
        track = Track(clean)
        dropped = raw.points.count - clean.count
    }
}

/// The steps of ``CleanTrack`` on one segment.
private struct SegmentCleaning {
    private var points: [TrackPoint]

    init(_ raw: ArraySlice<TrackPoint>, latest: Instant) {
        points = Array(raw)
        removeImpossibleTimes(latest: latest)
        removeRepeats()
        settleTimes()
        points.removeAll { $0.accuracyMetres.map { $0 > CleanTrack.largestAccuracyMetres } ?? false }
    }

    /// The segment without outliers, split where no movement connects the points.
    var parts: [[TrackPoint]] {
        let steps = TrackSteps(of: points)
        let removal = OutlierRemoval(
            count: points.count,
            isRepeat: { points[$0].coordinate == points[$1].coordinate },
            joins: steps.joins
        )
        return removal.rows.map { row in
            var part = row.count == points.count ? points : row.map { points[$0] }
            SoundAltitudes.clean(&part)
            return part
        }
    }

    private mutating func removeImpossibleTimes(latest: Instant) {
        for index in points.indices {
            guard let time = points[index].time, time < CleanTrack.earliestTime || time > latest else { continue }
            points[index].time = nil
        }
    }

    private mutating func removeRepeats() {
        var kept: [TrackPoint] = []
        kept.reserveCapacity(points.count)
        for point in points where point != kept.last { kept.append(point) }
        points = kept
    }

    private mutating func settleTimes() {
        let kept = SoundTimes.kept(of: points.map(\.time))
        var isChanged = false
        for (index, time) in kept.enumerated() where points[index].time != time {
            points[index].time = time
            isChanged = true
        }
        if isChanged { removeRepeats() }
    }
}
