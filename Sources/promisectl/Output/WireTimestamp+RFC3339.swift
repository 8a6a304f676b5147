import Foundation
import PromisedProtocol

extension WireTimestamp {
    /// Date and time in UTC with milliseconds: `2026-11-21T09:00:00.250Z`.
    var rfc3339: String {
        Date(timeIntervalSince1970: readingMs / 1_000).formatted(Self.style)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
