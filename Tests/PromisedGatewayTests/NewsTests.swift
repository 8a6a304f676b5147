import PromisedApplication
import PromisedDomain
import PromisedEngine
import PromisedJournal
import PromisedPlaces
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import Testing

@testable import PromisedGateway

/// News of use cases, over connections in memory.
@Suite(.timeLimit(.minutes(1))) struct NewsTests {
    private static let card = UserCard(id: UserID(high: 0x7000, low: 0x8000_0000_0000_0009), nickname: "Cleo")
    private static let promise = PromiseID(high: 0x7000, low: 0x8000_0000_0000_0005)
    private static let place = PlaceID(high: 0x7000, low: 0x8000_0000_0000_0006)
    private static let outlook = PlaceOutlook(
        at: GatewayWorld.start,
        opening: .unknown,
        weather: WeatherOutlook(without: .off)
    )
    private static let file = StoredFile(
        id: FileID(high: 0x7000, low: 0x8000_0000_0000_0007),
        userID: card.id,
        kind: .export,
        contentType: "application/zip",
        bytes: 12,
        sha256: Array(repeating: 7, count: 32)
    )

    /// An item of each kind with short content, and the name of its event.
    private static let items: [(NewsItem, String)] = [
        (.friendRequested(card), "friendRequested"), (.friendAdded(card), "friendAdded"),
        (.friendRemoved(card.id), "friendRemoved"), (.statisticsChanged(Statistics(of: card.id)), "statisticsChanged"),
        (.outlookReady(outlook, of: .promise(promise)), "outlookReady"),
        (.outlookReady(outlook, of: .place(place)), "outlookReady"),
        (.weatherChanged(outlook, of: promise), "weatherChanged"), (.exportReady(file), "exportReady"),
    ]

    private static func events(_ connection: MemoryConnection) -> [String] {
        connection.events.compactMap { Mirror(reflecting: $0).children.first?.label }
    }

    @Test func `each item reaches all connections of its users, in the codec of each`() async throws {
        try await GatewayWorld.with { world in
            let (ada, adaID) = try await world.user("Ada", .json)
            let (ben, benID) = try await world.user("Ben", .protobuf)
            let (eve, _) = try await world.user("Eve")
            for (item, _) in Self.items { world.news.tell(item, to: .users([adaID, benID])) }
            for connection in [ada, ben] { #expect(Self.events(connection) == Self.items.map(\.1)) }
            #expect(Self.events(eve) == [])
        }
    }

    @Test func `an item for subscribers reaches those connections alone, and ended ones are skipped`() async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            let (ben, _) = try await world.user("Ben")
            ben.end()
            let subscribers = [ada, ben].map { SubscriberID(number: $0.number, codec: $0.codec) }
            world.news.tell(.weatherChanged(Self.outlook, of: Self.promise), to: .subscribers(subscribers))
            world.news.tell(.friendRemoved(Self.card.id), to: .users([]))
            #expect(Self.events(ada) == ["weatherChanged"])
            #expect(Self.events(ben) == [])
        }
    }

    @Test(.proves("sessionRevoked", "4501"))
    func `the end of a sign-in closes its connections after the reason, except the one kept`() async throws {
        try await GatewayWorld.with { world in
            let (ada, adaID) = try await world.user("Ada")
            let (ben, benID) = try await world.user("Ben")
            let before = world.news.endedSignIns
            let kept = SubscriberID(number: ben.number, codec: ben.codec)
            #expect(world.news.end(benID, because: .kicked, except: kept) { _ in true } == 0)
            #expect(world.news.end(adaID, because: .kicked, except: nil) { _ in false } == 0)
            #expect(world.news.end(adaID, because: .kicked, except: nil) { _ in true } == 1)
            #expect(world.news.endedSignIns == before + 3)
            #expect(try await ada.closed() == .sessionRevoked)
            #expect(Self.events(ada) == ["sessionRevoked"])
            #expect(ben.closeCode == nil && Self.events(ben) == [])
        }
    }

    @Test(.proves("friendRequested", "friendAdded"))
    func `a use case tells the other user at once`() async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            let (ben, benID) = try await world.user("Ben")
            var request = WireRequestFriend()
            request.userID = benID.wireText
            guard case .friendship = try await ada.call(.requestFriend(request)) else { throw NoReply() }
            let sender = try await ben.event {
                if case .friendRequested(let event) = $0 { event.user.nickname } else { nil }
            }
            #expect(sender == "Ada")
        }
    }
}
