/// Selects the steps of an outline of a given size.
package struct OutlineChoice: Sendable {
    /// The inner points up to this rank stay; nil if segments are left out.
    private let inner: Int?
    /// For each segment its number in the outline; nil for one that is left out.
    private var numbers: [Int?]
    /// The segment whose last inner point stays too, where segments are left out.
    private var fullest: Int?

    /// The choice for at most `limit` points, 2…``Track/limitRange``, of a way with this number of ends.
    package init(_ segments: [OutlineSteps.Segment], ends: Int, limit: Int) {
        guard ends > limit else {
            inner = limit - ends
            numbers = Array(segments.indices)
            return
        }
        inner = nil
        numbers = segments.map { _ in nil }
        var room = limit
        var kept: [Int] = []
        for number in segments.indices.sorted(by: { segments[$0].order > segments[$1].order }) {
            guard segments[number].ends <= room else { break }
            room -= segments[number].ends
            kept.append(number)
        }
        for (place, number) in kept.sorted().enumerated() { numbers[number] = place }
        // One more point fits: the inner point of those segments that is removed last.
        guard room > 0 else { return }
        let full = kept.filter { segments[$0].count > segments[$0].ends }
        fullest = full.max { (segments[$0].peak, $1) < (segments[$1].peak, $0) }
    }

    /// The number of a segment in the outline, given its index among the segments of the steps; nil for one that is
    /// left out.
    package func number(of segment: Int) -> Int? { numbers[segment] }

    /// `true` if the outline contains the step of a segment.
    package func keeps(_ rank: Int, isLast: Bool, of segment: Int) -> Bool {
        guard numbers[segment] != nil else { return false }
        guard let inner else { return rank == 0 || isLast && segment == fullest }
        return rank <= inner
    }
}
