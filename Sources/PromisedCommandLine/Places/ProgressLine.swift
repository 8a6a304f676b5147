/// The progress of an import on one terminal line, rewritten at most five times a second.
package struct ProgressLine: Sendable {
    /// The shortest time between two updates.
    private static let pause = Duration.milliseconds(200)
    /// Moves to the start of the line and erases it (ECMA-48 8.3.41).
    private static let erasure = "\r\u{1B}[K"

    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant?

    /// An unwritten line; rates count from now on.
    package init() {}

    /// The text to write to the terminal; nil if the last update was too recent.
    ///
    /// - Parameters:
    ///   - rows: the number of rows read so far.
    ///   - share: the fraction of the file, 0…1; nil if unknown.
    package mutating func update(rows: Int, share: Double?) -> String? {
        let now = ContinuousClock.now
        if let lastShown, now - lastShown < Self.pause { return nil }
        lastShown = now
        return Self.erasure + Self.text(rows: rows, after: now - start, share: share)
    }

    /// The text that erases the line on the terminal; nil if nothing was written.
    package mutating func end() -> String? {
        guard lastShown != nil else { return nil }
        lastShown = nil
        return Self.erasure
    }

    /// `12000 rows, 24000 rows/s, 50 % of the file`; without a rate in the first millisecond.
    static func text(rows: Int, after time: Duration, share: Double?) -> String {
        let seconds = time / .seconds(1)
        let rate = seconds >= 0.001 ? ", \(Int((Double(rows) / seconds).rounded())) rows/s" : ""
        let part = share.map { ", \(Int(($0 * 100).rounded())) % of the file" } ?? ""
        return "\(rows) \(rows == 1 ? "row" : "rows")\(rate)\(part)"
    }
}
