import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

/// The app of the article "Showing places" against a server in memory.
@Suite(.timeLimit(.minutes(1))) struct ShowingPlacesTests {
    @Test func `the article's app draws the map and reports errors`() async throws {
        let app = ShowingPlaces()
        try await withClient { world in
            let link = try await world.links.accept()
            let time = TestTime()
            let viewport = PlaceViewport(client: world.client, pause: .seconds(1), time: time)
            try await withThrowingTaskGroup { group in
                group.addTask { await app.runMap(viewport) }
                let box = WireBox.with { ($0.south, $0.west, $0.north, $0.east) = (52, 13, 53, 14) }
                await app.moved(to: box, zoom: 12, viewport: viewport)
                await time.pass(.seconds(1))
                let frame = try await link.receive()
                #expect(frame.viewPlaces.box == box && frame.viewPlaces.zoom == 12)
                #expect(frame.viewPlaces.filter.categories == ["bookshop"])
                try link.reply(to: frame, .placeView(.with { $0.total = 3 }))
                #expect(try await app.effects.next() == "3 places")
                await app.moved(to: box, zoom: 13, viewport: viewport)
                await time.pass(.seconds(1))
                try link.reply(to: try await link.receive(), .places(WirePlaces()))
                #expect(try await app.effects.next() == "\(ClientError.unexpectedReply)")
                group.cancelAll()
            }
        }
    }

    @Test(arguments: [(WireOpening.Value.closed, false), (.open, true), (.unspecified, true)])
    func `the article's app shows if a place is closed at the meeting time`(
        opening: WireOpening.Value,
        isFine: Bool
    ) async throws {
        let app = ShowingPlaces()
        try await withClient { world in
            let link = try await world.links.accept()
            async let fine = app.meet(at: "c", request: .with { $0.title = "Coffee" }, with: world.client)
            let frame = try await link.receive()
            #expect(frame.createPromise.title == "Coffee" && frame.createPromise.place.placeID == "c")
            try link.reply(to: frame, .promise(.with { $0.outlook.opening = opening }))
            #expect(try await fine == isFine)
        }
    }

    @Test func `the article's app shows the server's announcements`() async throws {
        let app = ShowingPlaces()
        let links = MemoryLinks()
        let client = makeClient(.test, links: links)
        async let running: Void = client.run()
        async let reading: Void = app.runNotifications(of: client)
        let link = try await links.accept()
        try link.send(WireServerFrame(event: .with { $0.notification.notification.notificationID = "n" }))
        #expect(try await app.effects.next() == "n")
        await client.close()
        await running
        await reading
    }
}
