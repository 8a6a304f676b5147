import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import Testing

@testable import PromisedSettings

/// The durable events of a promise as the users who may see them receive them (docs/reference.md#events).
@Suite("Events over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct EventRowTests {
    private static let short: @Sendable (inout ServerSettings) -> Void = {
        $0.window = WindowSpans(before: .minutes(1), after: .minutes(2), settle: .seconds(10))
    }
    private static let meetsAt = ServerWorld.start + .hours(2)

    private static func update(
        _ promiseID: String,
        by person: Person,
        _ change: (inout WireUpdatePromise) -> Void
    ) async throws {
        var request = WireUpdatePromise()
        request.promiseID = promiseID
        request.version = try await person.see(promiseID).version
        change(&request)
        guard case .promise = try await person.reply(.updatePromise(request)) else { throw Device.NoReply() }
    }

    // MARK: - Members

    @Test(
        .proves("4.7", "4.9", "9.1", "leavePromise", "respond", "invited", "joined", "declined", "left", "removed"),
        .proves("handedOver", "edited", "cancelled"),
        arguments: WireCodec.allCases
    )
    func `announces memberships and changes once each, in order and numbered`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Cid", "Dan", "Eve") { people async throws in
                let (ada, bea) = (people[0], people[1])
                let id = try await Self.promise(by: ada, inviting: [bea, people[2], people[4]])
                let subscribed = try await ada.client.subscribe(promiseID: id)
                #expect(subscribed.seq == 3)
                #expect(!subscribed.epoch.isEmpty)
                try await Self.live(id, people)
                await ada.wait { $0.contains { $0.what?.name == "cancelled" } }
                let told = ada.durable(of: id)
                try #require(
                    told.compactMap { $0.what?.name } == [
                        "joined", "declined", "joined", "edited", "removed", "invited", "handedOver", "joined", "left",
                        "cancelled",
                    ]
                )
                #expect(told.map(\.seq) == Array(4..<14))
                Self.expectContent(of: told, people)
                try Self.expectOrder(of: told)
                try await Self.expectUnsubscribed(people, id)
            }
        }
    }

    private static func promise(by owner: Person, inviting friends: [Person]) async throws -> String {
        for friend in friends { try await owner.befriend(friend) }
        let promise = try await owner.client.createPromise(.sample(meetsAt: meetsAt, invitees: friends)).promise
        for friend in friends { await friend.hears { $0.isInvited } }
        return promise.promiseID
    }

    /// All events of a promise before its window opens.
    private static func live(_ id: String, _ people: [Person]) async throws {
        let (ada, bea, cid, dan, eve) = (people[0], people[1], people[2], people[3], people[4])
        _ = try await bea.client.respond(promiseID: id, accept: true)
        _ = try await cid.client.respond(promiseID: id, accept: false)
        _ = try await dan.client.joinByCode(try await ada.invite(to: id).code)
        try await update(id, by: ada) { $0.title = "Supper" }
        try await update(id, by: ada) { $0.remove = [dan.id] }
        try await update(id, by: ada) { $0.invite = [cid.id] }
        _ = try await ada.client.handOver(promiseID: id, to: bea.id)
        _ = try await eve.client.respond(promiseID: id, accept: true)
        _ = try await eve.client.leavePromise(id)
        _ = try await bea.client.cancelPromise(id, reason: "Rain")
    }

    private static func expectContent(of told: [WireEvent], _ people: [Person]) {
        #expect(told.map(\.joined.user.userID).filter { !$0.isEmpty } == [people[1].id, people[3].id, people[4].id])
        #expect(told[1].declined.user.nickname == "Cid")
        #expect(told[3].edited.promise.title == "Supper")
        #expect(told[4].removed.user.userID == people[3].id)
        #expect(told[5].invited.promise.title == "Supper")
        #expect(told[6].handedOver.ownerID == people[1].id)
        #expect(told[8].left.user.userID == people[4].id)
        #expect(told[9].cancelled.reason == "Rain")
    }

    private static func expectOrder(of told: [WireEvent]) throws {
        let instants = try told.map { try Instant(sent: $0.at) }
        #expect(instants == instants.sorted())
        #expect(instants.allSatisfy { $0 >= ServerWorld.start })
    }

    /// Users without a subscription receive only invitations and the end; former participants receive no events.
    private static func expectUnsubscribed(_ people: [Person], _ id: String) async throws {
        let (bea, cid, dan, eve) = (people[1], people[2], people[3], people[4])
        await bea.hears { $0.isCancelled }
        await cid.hears { $0.isCancelled }
        for person in [dan, eve] { _ = try await person.me() }
        #expect(bea.durable(of: id).compactMap { $0.what?.name } == ["invited", "cancelled"])
        #expect(cid.durable(of: id).compactMap { $0.what?.name } == ["invited", "invited", "cancelled"])
        #expect(dan.durable(of: id) == [])
        #expect(eve.durable(of: id).compactMap { $0.what?.name } == ["invited"])
    }

    // MARK: - The clock

    @Test(
        .proves("9.2", "trackingStarted", "meetingTime", "late", "trackingEnded", "resultFinal"),
        arguments: WireCodec.allCases
    )
    func `sends the clock's events at their instants, the first and the last to all`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec, rate: 60, configure: Self.short) { world in
            try await world.with("Ada", "Bea") { people async throws in
                let (ada, bea) = (people[0], people[1])
                let promise = try await ada.promise(with: [bea], at: world.now + .minutes(5))
                let id = promise.promiseID
                _ = try await ada.client.subscribe(promiseID: id)
                for person in people { await person.hears { $0.isResultFinal } }
                let told = ada.durable(of: id)
                try #require(
                    told.compactMap { $0.what?.name }
                        == ["trackingStarted", "meetingTime", "late", "trackingEnded", "resultFinal"]
                )
                let meetsAt = try Instant(sent: promise.meetsAt)
                #expect(
                    try told.map { try Instant(sent: $0.at) } == [
                        meetsAt - .minutes(1), meetsAt, meetsAt + .minutes(1), meetsAt + .minutes(2),
                        meetsAt + .seconds(130),
                    ]
                )
                #expect(told[2].late.userIds == [ada.id, bea.id].sorted())
                #expect(told[4].resultFinal.result.rows.map(\.outcome) == [.noShow, .noShow])
                #expect(
                    bea.durable(of: id).compactMap { $0.what?.name } == ["invited", "trackingStarted", "resultFinal"]
                )
            }
        }
    }

    // MARK: - Unsubscribing

    @Test(.proves("unsubscribe"))
    func `a client that unsubscribes, also twice, receives no more transient events`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea", "Cid") { people async throws in
                let (ada, bea, cid) = (people[0], people[1], people[2])
                let id = try await ada.openPromise(with: [bea, cid], in: world)
                try await ada.client.setStatus(promiseID: id, text: "One")
                for person in people { await person.wait { $0.contains { $0.statusChanged.text == "One" } } }
                try await bea.client.unsubscribe(promiseID: id)
                try await bea.client.unsubscribe(promiseID: id)
                try await ada.client.setStatus(promiseID: id, text: "Two")
                await cid.wait { $0.contains { $0.statusChanged.text == "Two" } }
                // Events sent to her before arrive before her own reply.
                _ = try await bea.me()
                #expect(!bea.received.contains { $0.statusChanged.text == "Two" })
                _ = try await bea.client.subscribe(promiseID: id)
                try await ada.client.setStatus(promiseID: id, text: "Three")
                await bea.wait { $0.contains { $0.statusChanged.text == "Three" } }
            }
        }
    }
}
