import PromisedClient
import PromisedProtocol

/// A server as an administrator uses it; a seam for tests.
protocol Administration: Sendable {
    /// What the server tells besides replies; for one reader.
    var notices: AsyncStream<ClientNotice> { get }
    /// Sends a form and waits for its reply.
    func ask<Reply: Sendable>(_ form: AdminForm<Reply>) async throws(Failure) -> Reply
    /// What the server's clock shows, halfway between asking and hearing.
    func readClock() async throws(Failure) -> ClockReading
    /// Ends the connection and waits for that.
    func close() async
}

/// Two clocks at one moment.
struct ClockReading: Hashable, Sendable {
    /// Milliseconds since 1970 on the server's clock.
    var serverMs: Double
    /// Milliseconds since 1970 on this machine's clock.
    var ownMs: Double
    /// How long the exchange took, in milliseconds: the difference is known no better than half of it.
    var tookMs: Double

    /// How much the server's clock is ahead, in seconds.
    var secondsAhead: Double { (serverMs - ownMs) / 1_000 }
}
