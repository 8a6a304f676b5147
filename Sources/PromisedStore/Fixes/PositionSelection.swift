package import PromisedDomain

/// A stored position with the number of its device.
package struct NumberedFix: Hashable, Sendable {
    /// The user, and the position's place in the order of their positions.
    package let cursor: FixCursor
    /// The position.
    package let fix: SettledFix
}

/// Selects the first positions after a cursor, by user, device, time, number and writing. A user's devices are numbered from 1
/// by their first report.
struct PositionSelection {
    /// The positions selected so far, in order.
    private(set) var found: [NumberedFix] = []

    private let cursor: FixCursor?
    private let limit: Int

    /// Will select at most `limit` positions after a cursor; from the first one on if there is none.
    init(after cursor: FixCursor?, limit: Int) {
        self.cursor = cursor
        self.limit = limit
    }

    /// `true` if nothing more can be selected.
    var isFull: Bool { found.count >= limit }

    /// Takes all positions of the next user. Throws ``StoreError/damaged(_:)``.
    mutating func take(_ groups: PackedGroups, of user: UserID) throws(StoreError) {
        let numbers = try PositionSelection.numbers(of: groups)
        var first = Earliest(count: limit - found.count)
        var order = 0
        try groups.forEachFix { source, fix in
            order += 1
            let place = FixCursor(userID: user, device: numbers[source], time: fix.time, seq: fix.seq, order: order)
            if let cursor, place <= cursor { return }
            first.add(NumberedFix(cursor: place, fix: fix))
        }
        found += first.sorted
    }

    /// The numbers of the groups' devices, from 1 by first report.
    private static func numbers(of groups: PackedGroups) throws(StoreError) -> [Int] {
        let sources = try groups.sources()
        // One device, as most have, needs no unpacking.
        guard Set(sources).count > 1 else { return sources.map { _ in 1 } }
        var reports: [DeviceKey: Report] = [:]
        var order = 0
        try groups.forEachFix { source, fix in
            order += 1
            let report = Report(at: fix.receivedAt, seq: fix.seq, order: order)
            reports[sources[source]] = reports[sources[source]].map { min($0, report) } ?? report
        }
        let sorted = reports.sorted { $0.value < $1.value }.map(\.key)
        let numbers = Dictionary(uniqueKeysWithValues: zip(sorted, 1...))
        return sources.map { numbers[$0] ?? 0 }
    }
}

/// When a position was received, among all of a user.
private struct Report: Comparable {
    let at: Instant
    let seq: UInt32
    let order: Int

    static func < (left: Report, right: Report) -> Bool {
        (left.at, left.seq, left.order) < (right.at, right.seq, right.order)
    }
}

/// The first of the positions added, at most a number of them.
private struct Earliest {
    private let count: Int
    /// Up to twice as many as wanted: sorting now and then costs less than keeping them sorted.
    private var fixes: [NumberedFix] = []
    /// No position behind this one is wanted.
    private var end: FixCursor?

    init(count: Int) { self.count = count }

    /// The wanted positions, in order.
    var sorted: [NumberedFix] { Array(fixes.sorted { $0.cursor < $1.cursor }.prefix(count)) }

    mutating func add(_ fix: NumberedFix) {
        if let end, end < fix.cursor { return }
        fixes.append(fix)
        guard fixes.count >= 2 * count else { return }
        fixes = sorted
        end = fixes.last?.cursor
    }
}
