/// The arrivals of one promise as announced by its durable events, checked against the rules of domain §6.4.
struct ArrivalBoard: Sendable {
    struct Line: Hashable, Sendable {
        /// Credited time, milliseconds since 1970.
        var creditedMs: Int64
        /// As announced.
        var rank: UInt32
        var isConfirmed: Bool

        /// An arrival with these values.
        init(creditedMs: Int64, rank: UInt32, isConfirmed: Bool = false) {
            self.creditedMs = creditedMs
            self.rank = rank
            self.isConfirmed = isConfirmed
        }
    }

    /// Credited times less than this after the first of a tie share its rank.
    static let tieMs: Int64 = 5_000

    /// By user id.
    private(set) var lines: [String: Line] = [:]

    mutating func arrived(_ user: String, _ line: Line) -> Violation? {
        defer { lines[user] = line }
        return lines[user] == nil ? nil : .secondArrival
    }

    mutating func confirmed(_ user: String, _ line: Line) -> Violation? {
        defer { lines[user] = line }
        guard let known = lines[user], !known.isConfirmed else { return .unknownArrival }
        return nil
    }

    mutating func retracted(_ user: String) -> Violation? {
        lines.removeValue(forKey: user) == nil ? .unknownArrival : nil
    }

    /// Records a changed credited time or rank of an arrival.
    mutating func revised(_ user: String, _ line: Line) -> Violation? {
        guard lines.updateValue(line, forKey: user) != nil else { return .unknownArrival }
        return nil
    }

    /// `true` if every rank follows from the credited time, or, for people who came together, from the best time among
    /// them: everyone in a tie shares a rank, and at least one of them has it by their own time. Events do not say who
    /// came together.
    var isRanked: Bool {
        var first: Int64 = .min
        var tie: (own: UInt32, told: UInt32)?
        /// By announced rank: the best rank by time alone.
        var best: [UInt32: UInt32] = [:]
        let sorted = lines.values.sorted { $0.creditedMs < $1.creditedMs }
        for (index, line) in sorted.enumerated() {
            if tie == nil || line.creditedMs - first >= Self.tieMs {
                tie = (own: UInt32(index + 1), told: line.rank)
                first = line.creditedMs
            }
            guard let tie, line.rank == tie.told else { return false }
            best[tie.told] = min(best[tie.told] ?? tie.own, tie.own)
        }
        return best.allSatisfy { $0.key == $0.value }
    }
}
