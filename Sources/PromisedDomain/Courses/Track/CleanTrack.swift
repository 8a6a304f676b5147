/// A way without invalid points and without invalid times.
///
/// Per segment, in this order:
/// 1. A time before 1990 or more than a day ahead is invalid.
/// 2. A point that repeats the one before it in every field is dropped.
/// 3. A segment in which fewer than nine in ten steps from time to time rise has no times; step 2 is repeated for it.
///    Otherwise the points with a time are put in its order.
/// 4. Of points with equal times the first stays.
/// 5. Points with an accuracy above 100 m are dropped.
/// 6. The points with a time pass the ``JumpFilter``; the one it still holds at the end is dropped.
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
    /// How many points are not among them.
    package let dropped: Int

    /// Cleans a way at `now`, which decides what lies ahead.
    package init(_ raw: Track, at now: Instant) {
        var clean: [TrackPoint] = []
        clean.reserveCapacity(raw.points.count)
        for segment in raw.segments {
            clean += SegmentCleaning(raw.points[segment], latest: now + CleanTrack.largestLead).points
        }
        track = Track(clean)
        dropped = raw.points.count - clean.count
    }
}

/// The steps of ``CleanTrack`` on one segment.
private struct SegmentCleaning {
    private(set) var points: [TrackPoint]

    init(_ raw: ArraySlice<TrackPoint>, latest: Instant) {
        points = Array(raw)
        removeImpossibleTimes(latest: latest)
        removeRepeats()
        settleTimes()
        points.removeAll { $0.accuracyMetres.map { $0 > CleanTrack.largestAccuracyMetres } ?? false }
        removeJumps()
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
        let times = points.compactMap(\.time)
        let steps = max(0, times.count - 1)
        let rising = zip(times, times.dropFirst()).count { $0 < $1 }
        if rising == steps { return }
        guard rising * 10 >= steps * 9 else {
            for index in points.indices { points[index].time = nil }
            return removeRepeats()
        }
        sortByTime()
        removeEqualTimes()
    }

    /// Puts the points with a time in its order; those without one keep their places.
    private mutating func sortByTime() {
        let places = points.indices.filter { points[$0].time != nil }
        let sorted = places.sorted { left, right in
            // Stable, so that "the first" of equal times is the first of the file.
            guard let one = points[left].time, let other = points[right].time, one != other else { return left < right }
            return one < other
        }
        let timed = sorted.map { points[$0] }
        for (place, point) in zip(places, timed) { points[place] = point }
    }

    private mutating func removeEqualTimes() {
        var last: Instant?
        points.removeAll { point in
            guard let time = point.time else { return false }
            defer { last = time }
            return time == last
        }
    }

    private mutating func removeJumps() {
        var filter = JumpFilter()
        var keeps = points.map { $0.time == nil }
        for (index, point) in points.enumerated() {
            guard let fix = SettledFix(point, seq: UInt32(truncatingIfNeeded: index)) else { continue }
            switch filter.receive(fix) {
            case .accepted: keeps[index] = true
            case .acceptedWithHeld(let held):
                keeps[Int(held.seq)] = true
                keeps[index] = true
            case .held: break
            }
        }
        guard keeps.contains(false) else { return }
        points = zip(points, keeps).filter(\.1).map(\.0)
    }
}

extension SettledFix {
    /// The point as the jump filter takes it; nil without a time.
    fileprivate init?(_ point: TrackPoint, seq: UInt32) {
        guard let time = point.time else { return nil }
        self.init(
            seq: seq,
            coordinate: point.coordinate,
            accuracyMetres: point.accuracyMetres,
            speedMps: point.speedMps,
            time: time,
            receivedAt: time
        )
    }
}
