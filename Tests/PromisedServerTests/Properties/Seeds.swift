import Foundation

/// The seeds of generated tests.
enum Seeds {
    /// The given seeds; or with `PROMISED_SEED` in the environment only that one, to repeat a failure, or all of
    /// `100-160`.
    static func of(_ range: ClosedRange<UInt64>) -> [UInt64] {
        let asked = ProcessInfo.processInfo.environment["PROMISED_SEED"]?.split(separator: "-").compactMap {
            UInt64($0)
        }
        guard let asked, let first = asked.first, let last = asked.last, first <= last else { return Array(range) }
        return Array(first...last)
    }
}
