internal import PromisedProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A client's estimate of a server's clock: its time at a moment of this machine's clock, and its rate.
public struct ServerClockEstimate: Hashable, Sendable {
    /// Server seconds per real second; 1 in production.
    public let rate: Double
    private let shown: Date
    private let origin: ContinuousClock.Instant

    /// A clock that showed `shown` at `origin`.
    public init(shown: Date, at origin: ContinuousClock.Instant, rate: Double) {
        self.shown = shown
        self.origin = origin
        self.rate = rate
    }

    /// The server's time now, as estimated.
    public var now: Date { instant(at: .now) }

    /// The server's time at a moment of this machine's clock.
    public func instant(at moment: ContinuousClock.Instant) -> Date { shown + (moment - origin).inSeconds * rate }

    /// Waits until the server's clock shows `instant`.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(until instant: Date) async throws {
        let ahead = instant.timeIntervalSince(shown) / rate
        try await Task.sleep(until: origin + .seconds(ahead), clock: .continuous)
    }

    /// Creates an estimate from two exchanges: the server's time half-way through each.
    ///
    /// A rate within one percent of a whole number is rounded to it: servers' clocks are set to such rates, and two
    /// exchanges half a second apart measure no better.
    init(_ first: ClockExchange, _ second: ClockExchange) {
        let measured = second.shown.timeIntervalSince(first.shown) / (second.middle - first.middle).inSeconds
        let whole = max(1, measured.rounded())
        rate = abs(measured - whole) <= 0.01 * whole ? whole : max(measured, 0.001)
        let best = first.length < second.length ? first : second
        shown = best.shown
        origin = best.middle
    }
}

/// One exchange of clocks: sent and answered on this machine's clock, shown by the server in between.
struct ClockExchange: Sendable {
    let sent: ContinuousClock.Instant
    let answered: ContinuousClock.Instant
    let shown: Date

    init(sent: ContinuousClock.Instant, answered: ContinuousClock.Instant, shown: Date) {
        self.sent = sent
        self.answered = answered
        self.shown = shown
    }

    var length: Duration { answered - sent }
    var middle: ContinuousClock.Instant { sent + length / 2 }
}

extension PromisedClient {
    /// Measures the server's clock and its rate with two exchanges, half a second apart; each is the quickest of eight.
    ///
    /// - Throws: ``ClientError``; `unexpectedReply` if the server sends no time.
    public func estimateServerClock() async throws(ClientError) -> ServerClockEstimate {
        let first = try await quickestExchange()
        do {
            try await Task.sleep(for: .milliseconds(500), clock: .continuous)
        } catch {
            throw .cancelled
        }
        return ServerClockEstimate(first, try await quickestExchange())
    }

    /// The quickest of several exchanges: the shorter the round trip, the more accurate the time.
    private func quickestExchange() async throws(ClientError) -> ClockExchange {
        var quickest = try await exchangeClocks()
        for _ in 1..<8 {
            let next = try await exchangeClocks()
            if next.length < quickest.length { quickest = next }
        }
        return quickest
    }

    private func exchangeClocks() async throws(ClientError) -> ClockExchange {
        let sent = ContinuousClock.now
        let reply = try await syncClock()
        let answered = ContinuousClock.now
        guard reply.receivedAt.isWritable, reply.sentAt.isWritable else { throw .unexpectedReply }
        let (received, left) = (Date(reply.receivedAt), Date(reply.sentAt))
        let middle = received + left.timeIntervalSince(received) / 2
        return ClockExchange(sent: sent, answered: answered, shown: middle)
    }
}
