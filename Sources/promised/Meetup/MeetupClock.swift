import Foundation
import PromisedClient
import PromisedDomain
import PromisedEngine

/// The server's clock as a phone of the meetup knows it.
enum MeetupClock: Sendable {
    /// The server runs in this process.
    case embedded(any WallClock)
    /// The server's clock was learnt through a connection.
    case remote(ServerClockEstimate)

    /// The present instant.
    var now: Instant {
        switch self {
        case .embedded(let clock): clock.now
        case .remote(let estimate): Instant(estimate.now)
        }
    }

    /// Waits until `instant`.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until instant: Instant) async throws {
        switch self {
        case .embedded(let clock): try await clock.sleep(until: instant)
        case .remote(let estimate): try await estimate.sleep(until: Date(instant))
        }
    }
}

extension Instant {
    /// The instant of a date, rounded to the nearest millisecond.
    init(_ date: Date) { self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded())) }
}

extension Date {
    fileprivate init(_ instant: Instant) { self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1_000) }
}
