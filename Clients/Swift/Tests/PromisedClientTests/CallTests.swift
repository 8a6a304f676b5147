import PromisedClient
import PromisedProtocol
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallTests {
    // MARK: - Replies

    @Test func `matches replies by id, in any order`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            let replies = try await withThrowingTaskGroup(of: (Double, Double).self) { group in
                for number in 1...20 {
                    group.addTask {
                        (
                            Double(number),
                            try await world.client.syncClock(WireSyncClock(uptime: Double(number))).uptimeMs
                        )
                    }
                }
                var frames: [WireClientFrame] = []
                for _ in 1...20 { frames.append(try await link.receive()) }
                for frame in frames.reversed() {
                    try link.reply(to: frame, .clock(uptime: frame.syncClock.uptimeMs * 1_000))
                }
                #expect(Set(frames.map(\.id)).count == 20)
                #expect(frames.allSatisfy { $0.id > 0 })
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(replies.count == 20)
            for (asked, answered) in replies { #expect(answered == asked * 1_000) }
        }
    }

    @Test func `a refusal carries the server's error and its code`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            async let result = outcome { () async throws(ClientError) in try await world.client.getPromise("p") }
            let error = WireErrorReply(.promiseNotFound, field: "promiseId")
            try link.refuse(try await link.receive(), error)
            #expect(await result == .failure(.refused(error)))
            #expect(ClientError.refused(error).code == .promiseNotFound)
        }
    }

    @Test func `stores a code of a later version as text`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            async let result = outcome { () async throws(ClientError) in try await world.client.getPromise("p") }
            var error = WireErrorReply(.serverInternal)
            error.code = "promise.of-the-future"
            try link.refuse(try await link.receive(), error)
            #expect(await result == .failure(.refused(error)))
            #expect(ClientError.refused(error).code == nil)
            #expect(ClientError.refused(error).description.contains("promise.of-the-future"))
        }
    }

    @Test func `rejects a reply of another kind`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            async let result = outcome { () async throws(ClientError) in try await world.client.getPromise("p") }
            try link.reply(to: try await link.receive(), .clock(uptime: 1))
            #expect(await result == .failure(.unexpectedReply))
        }
    }

    @Test func `ignores a reply without a request`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            async let reply = world.client.syncClock()
            let frame = try await link.receive()
            try link.send(WireServerFrame(id: frame.id + 1, content: .clock(uptime: 1)))
            try link.send(WireServerFrame(id: 0, content: .clock(uptime: 2)))
            try link.send(WireServerFrame())
            try link.reply(to: frame, .clock(uptime: 3))
            try link.reply(to: frame, .clock(uptime: 4))
            #expect(try await reply.uptimeMs == 3)
        }
    }

    @Test func `a request that cannot be encoded fails without being sent`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            try await world.client.waitUntilOnline()
            let report = WireReport.with { $0.sentAt = WireTimestamp(seconds: .max) }
            let unwritable = report
            let result = await outcome { () async throws(ClientError) in try await world.client.report(unwritable) }
            #expect(result == .failure(.unencodable))
            #expect(await !world.client.post { .report(unwritable) })
            // The next request is the first that the server receives.
            async let reply = world.client.syncClock(WireSyncClock(uptime: 5))
            let frame = try await link.receive()
            #expect(frame.syncClock.uptimeMs == 5)
            try link.reply(to: frame, .clock(uptime: 5))
            _ = try await reply
        }
    }

    // MARK: - No replies

    @Test func `a call without a reply times out, and the connection stays open`() async throws {
        try await withClient(.impatient) { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            let start = ContinuousClock.now
            let result = await outcome { () async throws(ClientError) in try await world.client.syncClock() }
            #expect(result == .failure(.timedOut))
            #expect(ContinuousClock.now - start >= .milliseconds(100))
            // The late reply is ignored.
            try link.reply(to: try await link.receive(), .clock(uptime: 1))
            try link.event("after")
            guard case .event(let event) = try await world.notice() else {
                Issue.record("the connection was lost")
                return
            }
            #expect(event.promiseID == "after")
        }
    }

    @Test func `a cancelled call ends at once, and the others continue`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            let cancelled = Task {
                await outcome { () async throws(ClientError) in try await world.client.syncClock() }
            }
            let first = try await link.receive()
            async let other = world.client.syncClock()
            let second = try await link.receive()
            cancelled.cancel()
            #expect(await cancelled.value == .failure(.cancelled))
            try link.reply(to: first, .clock(uptime: 1))
            try link.reply(to: second, .clock(uptime: 2))
            #expect(try await other.uptimeMs == 2)
        }
    }

    @Test func `does not send the call of a cancelled task`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            try await world.client.waitUntilOnline()
            let (gate, opener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
            let call = Task {
                for await _ in gate {}
                return await outcome { () async throws(ClientError) in
                    try await world.client.syncClock(WireSyncClock(uptime: 1))
                }
            }
            call.cancel()
            opener.finish()
            #expect(await call.value == .failure(.cancelled))
            async let reply = world.client.syncClock(WireSyncClock(uptime: 2))
            let frame = try await link.receive()
            #expect(frame.syncClock.uptimeMs == 2)
            try link.reply(to: frame, .clock(uptime: 2))
            _ = try await reply
        }
    }

    @Test func `a lost connection ends every waiting call`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            let results = try await withThrowingTaskGroup(of: Result<WireClock, ClientError>.self) { group in
                for _ in 1...5 {
                    group.addTask {
                        await outcome { () async throws(ClientError) in try await world.client.syncClock() }
                    }
                }
                for _ in 1...5 { _ = try await link.receive() }
                link.end(code: 1_006)
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results == Array(repeating: .failure(.disconnected), count: 5))
        }
    }
}
