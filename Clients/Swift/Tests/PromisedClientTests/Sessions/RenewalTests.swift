import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite(.timeLimit(.minutes(1))) struct RenewalTests {
    /// A session of 15 minutes from now.
    private func session(_ name: String, at time: TestTime) -> WireSession {
        var session = WireSession(name)
        session.accessExpiresAt = WireTimestamp(readingMs: time.wallMs + 900_000) ?? WireTimestamp()
        return session
    }

    private func signIn(_ world: ClientWorld, _ session: WireSession) async throws -> MemoryLink {
        let link = try await world.links.accept()
        async let signedIn = world.client.signIn(email: "ann@meet.example", password: "correct horse")
        try await link.signIn(session)
        #expect(try await signedIn == session)
        return link
    }

    /// Receives a refresh of the session `name`.
    private func refresh(of name: String, over link: MemoryLink) async throws -> WireClientFrame {
        let frame = try await link.receive()
        #expect(frame.refresh.refreshToken == "refresh-\(name)")
        return frame
    }

    @Test func `renews a session on the live connection after four fifths of its lifetime`() async throws {
        let time = TestTime()
        try await withClient(time: time) { world in
            let link = try await signIn(world, session("1", at: time))
            for (old, new) in [("1", "2"), ("2", "3")] {
                await time.pass(.seconds(720))
                let renewed = session(new, at: time)
                try link.reply(to: try await refresh(of: old, over: link), .session(renewed))
                #expect(try await link.welcome().token == "access-\(new)")
                #expect(await world.client.currentSession == renewed)
            }
            #expect(await world.client.connectionCount == 1)
        }
    }

    @Test func `the next connection repeats a renewal without a reply`() async throws {
        let time = TestTime()
        try await withClient(time: time) { world in
            let first = try await signIn(world, session("1", at: time))
            await time.pass(.seconds(720))
            _ = try await refresh(of: "1", over: first)
            first.end(code: 1_006)
            let second = try await world.links.accept()
            try second.reply(to: try await refresh(of: "1", over: second), .session(session("2", at: time)))
            #expect(try await second.welcome().token == "access-2")
        }
    }

    @Test func `repeats a temporarily refused renewal at the server's time`() async throws {
        let time = TestTime()
        try await withClient(time: time) { world in
            let link = try await signIn(world, session("1", at: time))
            await time.pass(.seconds(720))
            let busy = WireErrorReply(.serverUnavailable, retryAfterMs: 9_000)
            try link.refuse(try await refresh(of: "1", over: link), busy)
            await time.pass(.seconds(9))
            try link.reply(to: try await refresh(of: "1", over: link), .session(session("2", at: time)))
            #expect(try await link.welcome().token == "access-2")
        }
    }

    @Test func `a permanently refused renewal closes the client`() async throws {
        let time = TestTime()
        try await withClient(time: time) { world in
            let link = try await signIn(world, session("1", at: time))
            #expect(try await world.notice() == .connected)
            await time.pass(.seconds(720))
            try link.refuse(try await refresh(of: "1", over: link), WireErrorReply(.authTokenInvalid))
            #expect(try await link.closedByClient() == 1_000)
            #expect(try await world.notice() == .disconnected(code: 1_000, willReconnect: false))
        }
    }

    /// Implausible lifetimes: the wall clocks differ, or the server's runs sixty times as fast.
    @Test(arguments: [-3_600_000, 0, 10_000, 3_600_001, 54_000_000] as [Double])
    func `treats an implausible lifetime as 15 minutes`(_ lifetimeMs: Double) async throws {
        let time = TestTime()
        try await withClient(time: time) { world in
            var strange = WireSession("1")
            strange.accessExpiresAt = WireTimestamp(readingMs: time.wallMs + lifetimeMs) ?? WireTimestamp()
            let link = try await signIn(world, strange)
            await time.pass(.seconds(720))
            _ = try await refresh(of: "1", over: link)
        }
    }

    @Test(arguments: [(10_005, 8_004), (3_600_000, 2_880_000)] as [(Double, Int)])
    func `accepts any other lifetime`(_ lifetimeMs: Double, _ renewalMs: Int) async throws {
        let time = TestTime()
        try await withClient(time: time) { world in
            var session = WireSession("1")
            session.accessExpiresAt = WireTimestamp(readingMs: time.wallMs + lifetimeMs) ?? WireTimestamp()
            let link = try await signIn(world, session)
            await time.pass(.milliseconds(renewalMs))
            _ = try await refresh(of: "1", over: link)
        }
    }

    @Test func `notifies the app of the latest session`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            async let changed = world.client.changePassword(from: "old horse", to: "new horse")
            let frame = try await link.receive()
            #expect(frame.changePassword.oldPassword == "old horse")
            #expect(frame.changePassword.newPassword == "new horse")
            try link.reply(to: frame, .session(WireSession("2")))
            _ = try await changed
            for await session in world.client.sessions {
                #expect(session == WireSession("2"))
                break
            }
        }
    }

    @Test func `resumes a stored session`() async throws {
        let time = TestTime()
        let links = MemoryLinks()
        let client = makeClient(.test, links: links, time: time)
        await client.restore(session("7", at: time))
        async let running: Void = client.run()
        let link = try await links.accept()
        #expect(try await link.welcome().token == "access-7")
        await time.pass(.seconds(720))
        _ = try await refresh(of: "7", over: link)
        await client.close()
        await running
    }

    @Test func `refreshes an expired stored session first`() async throws {
        let time = TestTime()
        let links = MemoryLinks()
        let client = makeClient(.test, links: links, time: time)
        await client.restore(session("7", at: time))
        time.advance(by: .seconds(901))
        let late = session("7", at: TestTime())
        await client.restore(late)
        async let running: Void = client.run()
        let link = try await links.accept()
        try link.reply(to: try await refresh(of: "7", over: link), .session(WireSession("8")))
        #expect(try await link.welcome().token == "access-8")
        await client.close()
        await running
    }

    @Test func `signing out deletes the session`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            async let signedOut: Void = world.client.signOut()
            let frame = try await link.receive()
            guard case .signOut? = frame.request else { throw MemoryLink.Unexpected(frame: frame) }
            try link.reply(to: frame, .done(WireDone()))
            try await signedOut
            #expect(await world.client.currentSession == nil)
            link.end(code: 4_501)
        }
    }
}
