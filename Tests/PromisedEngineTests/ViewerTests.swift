import PromisedDomain
import PromisedEngine
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Viewers of a link: a separate audience (domain §4).
@Suite(.timeLimit(.minutes(1)))
struct ViewerTests {
    private static let start = Instant.meeting - .minutes(10)
    private static let hash = [UInt8](repeating: 7, count: 32)
    private static let viewer = SubscriberID(rawValue: 77)

    /// Two users, subscribed under their own numbers, and a link; 1 agreed to be seen.
    private static func world(agreed: Bool = true) async throws -> (EngineWorld, PromiseSession) {
        let world = await EngineWorld(people: 2, at: start)
        let session = try await world.session()
        for number in UInt64(1)...2 {
            try await session.subscribe(SubscriberID(rawValue: number), of: .user(number)) { _ in }
        }
        _ = try await session.perform(.makeViewLink(ViewLink(codeHash: hash, createdAt: start), by: .user(1)))
        if agreed { _ = try await session.perform(.setLinkSharing(.user(1), on: true)) }
        return (world, session)
    }

    private static func watch(_ session: PromiseSession, as subscriber: SubscriberID = viewer) async throws -> LinkView
    {
        let views = Recorder<LinkView>()
        try await session.watch(subscriber, by: hash) { views.append($0) }
        return try #require(views.values.first)
    }

    /// The deliveries to a viewer.
    private static func seen(
        _ world: EngineWorld,
        by subscriber: SubscriberID = viewer
    ) -> [RecordingAnnouncer.Delivery] {
        world.announcer.deliveries.filter { $0.subscribers.contains(subscriber) }
    }

    private static func refusal(_ body: () async throws -> Void) async -> EngineError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? EngineError
        }
    }

    @Test func `viewers see consenting participants, and participants the number of viewers`() async throws {
        let (world, session) = try await Self.world()
        let link = try await Self.watch(session)
        #expect(link.view.members.map(\.participant.userID) == [.user(1)])
        #expect(link.endsAt == world.promise.closesAt)
        let told = world.announcer.deliveries.last { $0.passing == .viewers(1) }
        #expect(told.map { Set($0.subscribers.map(\.rawValue)) } == [1, 2])
        await session.unwatch(Self.viewer)
        world.clock.advance(by: .seconds(2))
        _ = try await session.perform(.wake)
        #expect(world.announcer.deliveries.last { $0.passing != nil }?.passing == .viewers(0))
    }

    @Test(.proves("4.18"))
    func `sends viewers only consented positions, and participants one frame`() async throws {
        let (world, session) = try await Self.world()
        _ = try await Self.watch(session)
        try await world.report(1, seq: 1, metres: 900)
        try await world.report(2, seq: 1, metres: 800)
        try await world.running {
            _ = await world.announcer.wait { $0.contains { $0.positions != nil && $0.subscribers == [Self.viewer] } }
        }
        let frames = world.announcer.deliveries.filter { $0.positions != nil }
        let toViewers = frames.filter { $0.subscribers == [Self.viewer] }
        #expect(Set(toViewers.flatMap { $0.positions ?? [] }.map(\.userID)) == [.user(1)])
        let toOthers = frames.filter { !$0.subscribers.contains(Self.viewer) }
        #expect(toOthers.allSatisfy { Set($0.subscribers.map(\.rawValue)) == [1, 2] })
        #expect(Set(toOthers.flatMap { $0.positions ?? [] }.map(\.userID)) == [.user(1), .user(2)])
    }

    @Test(.proves("linkViewChanged")) func `consent shows a participant, its withdrawal removes them`() async throws {
        let (world, session) = try await Self.world(agreed: false)
        #expect(try await Self.watch(session).view.members.isEmpty)
        for on in [true, false] {
            _ = try await session.perform(.setLinkSharing(.user(2), on: on))
            guard case .linkView(let link) = Self.seen(world).last?.announcement else {
                Issue.record("no view")
                return
            }
            #expect(link.view.members.map(\.participant.userID) == (on ? [.user(2)] : []))
        }
        let count = Self.seen(world).count
        _ = try await session.perform(.setStatus(.user(2), text: "Hidden", emoji: nil))
        #expect(Self.seen(world).count == count)
    }

    @Test func `removes a leaving participant from the viewers' promise`() async throws {
        let (world, session) = try await Self.world()
        _ = try await session.perform(.setLinkSharing(.user(2), on: true))
        #expect(try await Self.watch(session).view.members.count == 2)
        _ = try await session.perform(.leave(.user(2)))
        guard case .linkView(let link) = Self.seen(world).last?.announcement else {
            Issue.record("no view")
            return
        }
        #expect(link.view.members.map(\.participant.userID) == [.user(1)])
        #expect(Self.seen(world).compactMap(\.event).isEmpty)
    }

    @Test func `hides a pausing participant's position from viewers at once`() async throws {
        let (world, session) = try await Self.world()
        _ = try await Self.watch(session)
        try await world.report(1, seq: 1, metres: 900)
        _ = try await session.perform(.setSharing(.user(1), on: false))
        #expect(Self.seen(world).compactMap(\.passing).contains(.sharing(.user(1), on: false)))
        let later = try await Self.watch(session, as: SubscriberID(rawValue: 78))
        #expect(later.view.members.map(\.participant.isSharing) == [false])
        #expect(later.view.members.compactMap(\.live.position).isEmpty)
    }

    @Test func `sends durable events to viewers without numbers`() async throws {
        let (world, session) = try await Self.world()
        _ = try await Self.watch(session)
        for user in [UInt64(2), 1] {
            try await world.report(user, seq: 1, metres: 5)
            _ = try await session.perform(.checkIn(.user(user), .myself))
        }
        let events = Self.seen(world).compactMap(\.event)
        #expect(events.allSatisfy { $0.seq == 0 })
        #expect(!events.isEmpty)
        for event in events {
            switch event.event {
            case .arrived(let ranked), .arrivalConfirmed(let ranked): #expect(ranked.userID == .user(1))
            case .rankingRevised(let all, _): #expect(all.allSatisfy { $0.userID == .user(1) })
            default: Issue.record("\(event.event)")
            }
        }
    }

    @Test(.proves("4.18"), arguments: ViewLinkEnd.allCases)
    func `closes viewers when their link expires`(end: ViewLinkEnd) async throws {
        let (world, session) = try await Self.world()
        _ = try await Self.watch(session)
        switch end {
        case .revoked: _ = try await session.perform(.revokeViewLink(by: .user(1)))
        case .cancelled: _ = try await session.perform(.cancel(by: .user(1), reason: "Rain"))
        case .replaced:
            let other = ViewLink(codeHash: [UInt8](repeating: 8, count: 32), createdAt: Self.start)
            _ = try await session.perform(.makeViewLink(other, by: .user(1)))
        case .expired:
            world.clock.advance(to: world.promise.closesAt)
            _ = try await session.perform(.wake)
        }
        guard case .linkEnded(let told) = Self.seen(world).last?.announcement else {
            Issue.record("not cut off")
            return
        }
        #expect(told == end)
        let count = Self.seen(world).count
        let refused = await Self.refusal { _ = try await Self.watch(session) }
        #expect(refused == .refused(.codeInvalid))
        if end != .cancelled { _ = try await session.perform(.setSharing(.user(1), on: false)) }
        #expect(Self.seen(world).count == count)
    }

    @Test func `announces a cancellation to viewers first, without its reason`() async throws {
        let (world, session) = try await Self.world()
        _ = try await Self.watch(session)
        _ = try await session.perform(.cancel(by: .user(1), reason: "Ada is ill"))
        #expect(Self.seen(world).events == [.cancelled(reason: "")])
    }

    @Test func `closes viewers at the expiry of a link before the window`() async throws {
        let (world, session) = try await Self.world()
        let end = Self.start + .seconds(30)
        let link = ViewLink(codeHash: Self.hash, createdAt: Self.start, expiresAt: end)
        _ = try await session.perform(.makeViewLink(link, by: .user(1)))
        _ = try await Self.watch(session)
        try await world.running {
            await world.clock.sleeper(until: end)
            world.clock.advance(to: end)
            _ = await world.announcer.wait { deliveries in
                deliveries.contains {
                    if case .linkEnded(.expired) = $0.announcement { $0.subscribers == [Self.viewer] } else { false }
                }
            }
        }
    }

    @Test(.proves("limit.viewers")) func `limits viewers to a hundred, and admits one for each that leaves`()
        async throws
    {
        let (_, session) = try await Self.world()
        for number in 0..<UInt64(ViewLinkLimits.viewers) {
            _ = try await Self.watch(session, as: SubscriberID(rawValue: 1_000 + number))
        }
        #expect(await Self.refusal { _ = try await Self.watch(session) } == .refused(.viewerLimit))
        await session.unwatch(SubscriberID(rawValue: 1_000))
        _ = try await Self.watch(session)
    }

    @Test func `a consent that could not be stored shows no participant`() async throws {
        let (world, session) = try await Self.world(agreed: false)
        _ = try await Self.watch(session)
        world.archive.failNextCommits(1)
        let refused = await Self.refusal { _ = try await session.perform(.setLinkSharing(.user(2), on: true)) }
        #expect(refused == .unavailable)
        _ = try await session.perform(.setStatus(.user(2), text: "Hidden", emoji: nil))
        #expect(Self.seen(world).isEmpty)
        #expect(try await session.view().viewerCount == 1)
    }
}
