import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite(.timeLimit(.minutes(1))) struct PlaceViewportTests {
    private static let pause = Duration.milliseconds(200)

    /// A running viewport of a connected client.
    private struct World {
        let viewport: PlaceViewport
        let time: TestTime
        let link: MemoryLink

        /// Shows a part of the map, identified by its zoom.
        func show(_ zoom: UInt32) async { await viewport.show(.with { $0.zoom = zoom }) }

        /// The client's next frame, which must request the part with this zoom.
        func question(_ zoom: UInt32, sourceLocation: SourceLocation = #_sourceLocation) async throws -> WireClientFrame
        {
            let frame = try await link.receive()
            #expect(frame.request == .viewPlaces(.with { $0.zoom = zoom }), sourceLocation: sourceLocation)
            return frame
        }

        /// Replies with a view, identified by its total.
        func reply(to frame: WireClientFrame, total: UInt32) throws {
            try link.reply(to: frame, .placeView(.with { $0.total = total }))
        }

        func answer() async throws -> PlaceViewport.Answer {
            for await answer in viewport.answers { return answer }
            throw Mailbox<PlaceViewport.Answer>.Ended()
        }
    }

    private func withViewport(_ body: (World) async throws -> Void) async throws {
        try await withClient { client in
            let link = try await client.links.accept()
            let time = TestTime()
            let viewport = PlaceViewport(client: client.client, pause: Self.pause, time: time)
            try await withThrowingTaskGroup { group in
                group.addTask { await viewport.run() }
                try await body(World(viewport: viewport, time: time, link: link))
                group.cancelAll()
            }
        }
    }

    private func view(_ total: UInt32, to zoom: UInt32) -> PlaceViewport.Answer {
        .view(.with { $0.total = total }, to: .with { $0.zoom = zoom })
    }

    @Test func `requests the view when the map rests`() async throws {
        try await withViewport { world in
            await world.show(14)
            await world.time.pass(Self.pause)
            try world.reply(to: try await world.question(14), total: 5)
            #expect(try await world.answer() == view(5, to: 14))
        }
    }

    @Test func `requests the view once, after the map has stopped`() async throws {
        try await withViewport { world in
            for zoom in 1...5 as ClosedRange<UInt32> {
                await world.show(zoom)
                await world.time.sleeper(for: Self.pause)
                // One millisecond before the end of the pause.
                world.time.advance(by: Self.pause - .milliseconds(1))
            }
            await world.time.pass(.milliseconds(1))
            try world.reply(to: try await world.question(5), total: 5)
            #expect(try await world.answer() == view(5, to: 5))
            await world.show(6)
            await world.time.pass(Self.pause)
            try world.reply(to: try await world.question(6), total: 6)
            #expect(try await world.answer() == view(6, to: 6))
        }
    }

    @Test func `drops a reply that arrives after the map has moved`() async throws {
        try await withViewport { world in
            await world.show(1)
            await world.time.pass(Self.pause)
            let late = try await world.question(1)
            await world.show(2)
            try world.reply(to: late, total: 1)
            await world.time.pass(Self.pause)
            try world.reply(to: try await world.question(2), total: 2)
            #expect(try await world.answer() == view(2, to: 2))
        }
    }

    @Test func `an unanswered request does not delay the next`() async throws {
        try await withViewport { world in
            await world.show(1)
            await world.time.pass(Self.pause)
            _ = try await world.question(1)
            await world.show(2)
            await world.time.pass(Self.pause)
            try world.reply(to: try await world.question(2), total: 2)
            #expect(try await world.answer() == view(2, to: 2))
        }
    }

    @Test func `reports a failure and retries on the next movement`() async throws {
        try await withViewport { world in
            let error = WireErrorReply(.serverUnavailable, retryAfterMs: 1_000)
            await world.show(1)
            await world.time.pass(Self.pause)
            try world.link.refuse(try await world.question(1), error)
            #expect(try await world.answer() == .failure(.refused(error), to: .with { $0.zoom = 1 }))
            await world.show(1)
            await world.time.pass(Self.pause)
            try world.reply(to: try await world.question(1), total: 1)
            #expect(try await world.answer() == view(1, to: 1))
        }
    }

    @Test func `a reply of another kind is a failure`() async throws {
        try await withViewport { world in
            await world.show(1)
            await world.time.pass(Self.pause)
            try world.link.reply(to: try await world.question(1), .places(WirePlaces()))
            #expect(try await world.answer() == .failure(.unexpectedReply, to: .with { $0.zoom = 1 }))
        }
    }

    @Test func `the views end with the viewport`() async throws {
        try await withClient { client in
            let viewport = PlaceViewport(client: client.client, pause: Self.pause, time: TestTime())
            await withTaskGroup { group in
                group.addTask { await viewport.run() }
                group.cancelAll()
            }
            for await answer in viewport.answers { Issue.record("\(answer)") }
        }
    }
}
