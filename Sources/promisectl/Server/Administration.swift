import Foundation
import PromisedClient
import PromisedProtocol

/// A server as used by an administrator; replaceable for tests.
protocol Administration: Sendable {
    /// The client's notices; for one reader.
    var notices: AsyncStream<ClientNotice> { get }
    func ask<Reply: Sendable>(_ form: AdminForm<Reply>) async throws(Failure) -> Reply
    /// The server's clock, halfway between request and reply.
    func readClock() async throws(Failure) -> ClockReading
    /// Closes the connection and waits for its end.
    func close() async
}

/// Two clocks read at the same moment.
struct ClockReading: Hashable, Sendable {
    /// Milliseconds since 1970 on the server's clock.
    var serverMs: Double
    /// Milliseconds since 1970 on this machine's clock.
    var ownMs: Double
    /// The duration of the exchange, in milliseconds: the difference is uncertain by half of it.
    var tookMs: Double

    /// How far the server's clock is ahead, in seconds.
    var secondsAhead: Double { (serverMs - ownMs) / 1_000 }
}

/// An administrator's connection to a real server.
final class ClientAdministration: Administration {
    /// How often a rate-limited request is repeated.
    private static let repeats = 50

    private let client: PromisedClient
    private let running: Task<Void, Never>

    var notices: AsyncStream<ClientNotice> { client.notices }

    /// Begins to connect.
    init(_ client: PromisedClient) {
        self.client = client
        // Cancelled and awaited by `close()`, which the connecting code calls.
        running = Task { await client.run() }
    }

    func close() async {
        await client.close()
        await running.value
    }

    // MARK: - Signing in

    /// Waits for the first attempt to connect and says hello with a token, both within `limit`.
    func signIn(with secret: String, within limit: Duration) async throws(Failure) {
        let outcome: Result<Void, Failure> = await withTaskGroup { group in
            group.addTask { await self.signIn(with: secret) }
            group.addTask { await Self.timeOut(after: limit) }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(.unreachable("no attempt was made"))
        }
        try outcome.get()
    }

    private func signIn(with secret: String) async -> Result<Void, Failure> {
        if let failure = await firstFailure() { return .failure(failure) }
        do throws(ClientError) {
            _ = try await client.signIn(administratorToken: secret)
            return .success(())
        } catch {
            return .failure(Failure(error))
        }
    }

    /// Why there is no connection; nil if there is one.
    private func firstFailure() async -> Failure? {
        for await notice in client.notices {
            switch notice {
            case .connected: return nil
            case .attemptFailed(let why): return .unreachable(why)
            case .disconnected(let code, _): return .unreachable("the server closed the connection (\(code))")
            case .event, .error: continue
            }
        }
        return .unreachable("the client stopped reconnecting")
    }

    private static func timeOut(after limit: Duration) async -> Result<Void, Failure> {
        do {
            try await Task.sleep(for: limit, clock: .continuous)
        } catch {
            // Cancelled: the other task finished first, and this outcome is ignored.
        }
        return .failure(.unreachable("no answer within \(limit.components.seconds) seconds"))
    }

    // MARK: - Asking

    func ask<Reply: Sendable>(_ form: AdminForm<Reply>) async throws(Failure) -> Reply {
        for _ in 0..<Self.repeats {
            if let reply = try await attempt(form) { return reply }
        }
        throw .refused("the server limits the rate of requests: try again later")
    }

    /// The reply; nil after the waiting time set by the server, if it rejected the request because of its rate.
    private func attempt<Reply: Sendable>(_ form: AdminForm<Reply>) async throws(Failure) -> Reply? {
        do throws(ClientError) {
            return try await client.administer(form)
        } catch {
            guard case .refused(let reply) = error, error.code == .limitRate else { throw Failure(error) }
            await Self.pause(for: .milliseconds(max(reply.retryAfterMs, 50)))
            return nil
        }
    }

    private static func pause(for time: Duration) async {
        do {
            try await Task.sleep(for: time, clock: .continuous)
        } catch {
            // Cancelled: the next attempt detects that.
        }
    }

    func readClock() async throws(Failure) -> ClockReading {
        let start = ContinuousClock.now
        let clock: WireClock
        do throws(ClientError) {
            clock = try await client.syncClock()
        } catch {
            throw Failure(error)
        }
        let ownMs = Date.now.timeIntervalSince1970 * 1_000
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let tookMs = Double(seconds) * 1_000 + Double(attoseconds) / 1e15
        return ClockReading(
            serverMs: Double(clock.sentAt.clampedMilliseconds),
            ownMs: ownMs - tookMs / 2,
            tookMs: tookMs
        )
    }
}

extension WireUpdatePromise {
    /// A promise's current state as a change request, without changes yet.
    init(changing promise: WirePromise) {
        self.init()
        promiseID = promise.promiseID
        version = promise.version
    }
}
