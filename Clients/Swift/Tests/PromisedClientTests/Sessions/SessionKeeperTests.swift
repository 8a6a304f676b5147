import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite struct SessionKeeperTests {
    private let time = TestTime()

    private func session(_ name: String = "1", lifetimeMs: Double? = 900_000) -> WireSession {
        var session = WireSession(name)
        if let lifetimeMs {
            session.accessExpiresAt = WireTimestamp(readingMs: time.wallMs + lifetimeMs) ?? WireTimestamp()
        }
        return session
    }

    /// A lifetime in milliseconds, when the session is renewed, and `true` if a stored one is refreshed first.
    @Test(
        arguments: [
            (900_000, 720_000, false), (3_600_000, 2_880_000, false), (10_005, 8_004, false),
            // An implausible lifetime counts as 15 minutes.
            (3_600_001, 720_000, false), (10_000, 720_000, true), (0, 720_000, true), (-3_600_000, 720_000, true),
        ] as [(Double, Int, Bool)]
    )
    func `renews a session after four fifths of its lifetime`(
        _ lifetimeMs: Double,
        _ renewalMs: Int,
        _ mustRefresh: Bool
    ) {
        let due = time.uptime + .milliseconds(renewalMs)
        var keeper = SessionKeeper()
        keeper.restore(session(lifetimeMs: lifetimeMs), at: time)
        #expect(keeper.renewsAt == due)
        #expect(keeper.mustRefresh == mustRefresh)
        #expect(!keeper.isSignedIn)
        keeper = SessionKeeper()
        keeper.keep(session(lifetimeMs: lifetimeMs), at: time)
        #expect(keeper.renewsAt == due)
        // It has just arrived from the server, whatever the clocks say.
        #expect(!keeper.mustRefresh)
        #expect(keeper.isSignedIn)
    }

    @Test func `does not renew a session without an expiry`() {
        var keeper = SessionKeeper()
        keeper.keep(session(), at: time)
        keeper.keep(session("2", lifetimeMs: nil), at: time)
        #expect(keeper.current == WireSession("2"))
        #expect(keeper.renewsAt == nil)
        keeper = SessionKeeper()
        keeper.restore(session(lifetimeMs: nil), at: time)
        #expect(keeper.renewsAt == nil)
        #expect(!keeper.mustRefresh)
    }

    @Test func `a stored session without an expiry does not inherit the previous renewal`() {
        var keeper = SessionKeeper()
        keeper.restore(session(), at: time)
        keeper.restore(session("2", lifetimeMs: nil), at: time)
        #expect(keeper.current == WireSession("2"))
        #expect(keeper.renewsAt == nil)
    }

    @Test func `a loss resets only the state of the connection`() {
        var keeper = SessionKeeper()
        keeper.keep(session(), at: time)
        keeper.take(WireWelcome())
        #expect(keeper.hasGreeted)
        keeper.connectionLost()
        #expect(!keeper.isSignedIn)
        #expect(!keeper.hasGreeted)
        #expect(keeper.current == session())
        #expect(keeper.userID == "ann")
    }

    @Test func `the user is the last one that the server named`() {
        var keeper = SessionKeeper()
        keeper.keep(session(), at: time)
        var nameless = session("2")
        nameless.clearUser()
        keeper.keep(nameless, at: time)
        keeper.take(WireWelcome())
        #expect(keeper.userID == "ann")
        var welcome = WireWelcome()
        welcome.user.userID = "bob"
        keeper.take(welcome)
        #expect(keeper.userID == "bob")
    }

    @Test func `a pending renewal makes the next connection refresh, until there is a new session`() {
        var keeper = SessionKeeper()
        keeper.keep(session(), at: time)
        keeper.renewalBegins()
        #expect(keeper.mustRefresh)
        #expect(keeper.renewsAt == nil)
        keeper.keep(session("2"), at: time)
        #expect(!keeper.mustRefresh)
        #expect(keeper.renewsAt != nil)
        keeper.accessRefused()
        #expect(keeper.mustRefresh)
    }

    @Test(arguments: [(0, 5), (4_999, 5), (5_000, 5), (9_000, 9)])
    func `repeats a temporarily refused renewal after at least 5 s`(_ waitMs: Int, _ seconds: Int) {
        var keeper = SessionKeeper()
        keeper.keep(session(), at: time)
        keeper.renewalBegins()
        keeper.renewalPostponed(by: .milliseconds(waitMs), at: time.uptime)
        #expect(keeper.renewsAt == time.uptime + .seconds(seconds))
        #expect(keeper.mustRefresh)
    }

    @Test func `deletes an ended session`() {
        var keeper = SessionKeeper()
        keeper.keep(session(), at: time)
        keeper.accessRefused()
        keeper.forget()
        #expect(keeper.current == nil)
        #expect(keeper.renewsAt == nil)
        #expect(!keeper.mustRefresh)
        #expect(!keeper.isSignedIn)
    }

    @Test func `the hello has program and device`() {
        var settings = ClientSettings(address: ServerAddress(host: "meet.example", port: 80))
        (settings.name, settings.version, settings.platform) = ("meet-app", "7", "phone")
        let bare = WireHello(settings, token: nil)
        #expect(bare.token.isEmpty)
        #expect([bare.client.name, bare.client.version, bare.client.platform] == ["meet-app", "7", "phone"])
        #expect(!bare.hasDeviceID)
        #expect(!bare.hasBootID)
        (settings.deviceID, settings.bootID) = ("device", "boot")
        let full = WireHello(settings, token: "secret")
        #expect([full.token, full.deviceID, full.bootID] == ["secret", "device", "boot"])
    }
}
