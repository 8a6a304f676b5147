/// The progress of a promise's clock events: each is announced exactly once, recorded in the archive.
package enum ClockMark: Int, Hashable, Sendable, Codable, Comparable, CaseIterable {
    /// None yet.
    case none = 0
    /// The window opened.
    case opened = 1
    /// The meeting time was reached.
    case met = 2
    /// The grace ended.
    case late = 3
    /// The window ended.
    case closed = 4
    /// The result was written.
    case final = 5

    /// Earlier marks first.
    package static func < (left: ClockMark, right: ClockMark) -> Bool { left.rawValue < right.rawValue }
}
