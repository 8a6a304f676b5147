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
        case .remote(let estimate): estimate.now
        }
    }

    /// Waits until `instant`.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until instant: Instant) async throws {
        switch self {
        case .embedded(let clock): try await clock.sleep(until: instant)
        case .remote(let estimate): try await estimate.sleep(until: instant)
        }
    }
}
