import PromisedProtocol
import Testing

@testable import PromisedClient

@Suite struct ReconnectionTests {
    /// Draws half of each bound.
    struct Half: RandomNumberGenerator {
        mutating func next() -> UInt64 { 1 << 63 }
    }

    /// Bounds of 2 s, 4 s, 8 s and so on; reset after 5 s online.
    private func reconnection() -> Reconnection {
        var settings = ClientSettings(address: ServerAddress(host: "meet.example", port: 80))
        settings.backoff = Backoff(first: .seconds(2), longest: .seconds(64))
        settings.steadyAfter = .seconds(5)
        return Reconnection(settings, generator: Half())
    }

    /// The wait before the next attempt, which then begins.
    private func attempt(_ machine: inout Reconnection, at now: Duration = .zero) -> Duration {
        let wait = machine.nextAttempt(at: now) - now
        machine.attempts()
        return wait
    }

    @Test func `connects at once, then after increasing waits`() {
        var machine = reconnection()
        let waits = (0..<8).map { _ in attempt(&machine) }
        #expect(waits == [0, 1, 2, 4, 8, 16, 32, 32].map { .seconds($0) })
    }

    /// Milliseconds online, and seconds to wait afterwards.
    @Test(arguments: [(0, 4), (4_999, 4), (5_000, 1), (60_000, 1)])
    func `a connection online for 5 s resets the waits`(_ lifetimeMs: Int, _ wait: Int) {
        var machine = reconnection()
        for _ in 1...3 { _ = attempt(&machine) }
        machine.connected()
        machine.becameOnline(at: .seconds(100))
        let end = Duration.seconds(100) + .milliseconds(lifetimeMs)
        _ = machine.lost(code: 1_006, hasSession: false, at: end)
        #expect(attempt(&machine, at: end) == .seconds(wait))
    }

    @Test func `a connection that was never online does not reset the waits`() {
        var machine = reconnection()
        for _ in 1...3 { _ = attempt(&machine) }
        machine.connected()
        _ = machine.lost(code: 1_006, hasSession: true, at: .seconds(100))
        #expect(attempt(&machine, at: .seconds(100)) == .seconds(4))
    }

    @Test func `does not connect before the server's time`() {
        var machine = reconnection()
        _ = attempt(&machine)
        machine.postpone(by: .seconds(40), at: .seconds(10))
        #expect(attempt(&machine, at: .seconds(10)) == .seconds(40))
        // The back-off is longer than the remaining wait.
        #expect(attempt(&machine, at: .seconds(49)) == .seconds(2))
        #expect(attempt(&machine, at: .seconds(60)) == .seconds(4))
    }

    /// A loss and its consequence: another attempt, with or without a refreshed token, or the end.
    struct LossCase: Hashable, Sendable {
        var code: UInt16
        var hasSession = true
        var wasOnline = true
        var willReconnect: Bool
        var mustRefresh = false
    }

    @Test(arguments: [
        LossCase(code: 1_006, willReconnect: true),
        LossCase(code: 1_006, wasOnline: false, willReconnect: true),
        LossCase(code: 4_001, hasSession: false, willReconnect: true),
        LossCase(code: 4_499, willReconnect: true),
        // An invalid token: refreshed only if there is a session and the token was valid before.
        LossCase(code: 4_500, willReconnect: true, mustRefresh: true),
        LossCase(code: 4_500, hasSession: false, willReconnect: false),
        LossCase(code: 4_500, wasOnline: false, willReconnect: false),
        LossCase(code: 4_501, willReconnect: false),
        LossCase(code: 4_502, willReconnect: true), LossCase(code: 4_502, wasOnline: false, willReconnect: true),
        LossCase(code: 4_503, willReconnect: false), LossCase(code: 4_999, willReconnect: false),
    ])
    func `the close code determines whether to reconnect`(_ row: LossCase) {
        var machine = reconnection()
        machine.connected()
        #expect(machine.phase == .signingIn)
        if row.wasOnline { machine.becameOnline(at: .zero) }
        let loss = machine.lost(code: row.code, hasSession: row.hasSession, at: .seconds(1))
        #expect(loss == .init(willReconnect: row.willReconnect, mustRefresh: row.mustRefresh))
        #expect(machine.phase == (row.willReconnect ? .offline : .over))
    }

    @Test func `reconnects after the first malformed frame, not after the second`() {
        var machine = reconnection()
        for (code, willReconnect) in [(4_502, true), (1_006, true), (4_001, true), (4_502, false)] as [(UInt16, Bool)] {
            machine.connected()
            machine.becameOnline(at: .zero)
            #expect(machine.lost(code: code, hasSession: true, at: .seconds(60)).willReconnect == willReconnect)
        }
        #expect(machine.phase == .over)
    }

    @Test func `does not reconnect to a server that it cannot read`() {
        var machine = reconnection()
        machine.connected()
        machine.giveUp()
        #expect(machine.lost(code: 4_502, hasSession: true, at: .zero) == .init(willReconnect: false))
    }

    @Test func `a closed client does not reconnect, whatever the code`() {
        var machine = reconnection()
        machine.connected()
        machine.becameOnline(at: .zero)
        machine.close()
        #expect(machine.lost(code: 1_006, hasSession: true, at: .zero) == .init(willReconnect: false))
        #expect(machine.phase == .over)
    }

    @Test func `counts online connections, and the client runs once`() {
        var machine = reconnection()
        machine.connected()
        #expect(machine.count == 0)
        machine.becameOnline(at: .zero)
        #expect(machine.count == 1)
        #expect(!machine.isRunning)
        #expect([machine.run(), machine.run()] == [true, false])
        #expect(machine.isRunning)
    }
}
