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

    /// An arrival's credited time or rank changed.
    mutating func revised(_ user: String, _ line: Line) -> Violation? {
        guard lines.updateValue(line, forKey: user) != nil else { return .unknownArrival }
        return nil
    }

    /// `true` if every rank is that of its credited time.
    var isRanked: Bool {
        var first: Int64 = .min
        var rank: UInt32 = 0
        let sorted = lines.values.sorted { $0.creditedMs < $1.creditedMs }
        for (index, line) in sorted.enumerated() {
            if rank == 0 || line.creditedMs - first >= Self.tieMs {
                rank = UInt32(index + 1)
                first = line.creditedMs
            }
            guard line.rank == rank else { return false }
        }
        return true
    }
}
