import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Status texts, nudges, and the events that a block hides (domain §3, §9).
@Suite struct SignalTests {
    static func at(_ second: Double) -> Instant { .meeting + .seconds(second) }

    @Test func `announces, stores and clears a status`() {
        var world = SessionWorld(accepted: 2)
        world.send(.setStatus(.user(2), text: "On the bus", emoji: "🚌"), at: Self.at(0))
        #expect(world.told.last == .status(.user(2), text: "On the bus", emoji: "🚌"))
        world.restart(at: Self.at(1))
        #expect(world.machine.participant(.user(2))?.statusText == "On the bus")
        world.send(.setStatus(.user(2), text: "", emoji: nil), at: Self.at(2))
        #expect(world.told.last == .status(.user(2), text: "", emoji: "🚌"))
        let before = world.told.count
        world.send(.setStatus(.user(2), text: "", emoji: nil), at: Self.at(3))
        #expect(world.told.count == before)
    }

    @Test(arguments: [(UInt64(9), Refusal.promiseNotFound), (3, .promiseNotAccepted)])
    func `only accepted participants can set a status`(user: UInt64, refusal: Refusal) {
        var world = MembershipTests.world()
        #expect(world.send(.setStatus(.user(user), text: "x", emoji: nil), at: Self.at(0))?.refusal == refusal)
    }

    @Test(
        .proves("9.5"),
        arguments: [
            (-1_800.001, Refusal.promiseClosed), (-1_800, nil), (1_800, nil), (1_800.001, .promiseClosed),
        ] as [(Double, Refusal?)]
    )
    func `accepts reminders from half an hour before to half an hour after`(second: Double, refusal: Refusal?) {
        var world = SessionWorld(accepted: 2)
        #expect(world.send(.nudge(from: .user(1), to: .user(2)), at: Self.at(second))?.refusal == refusal)
    }

    @Test(.proves("9.5")) func `limits reminders to one a minute for each pair`() {
        var world = SessionWorld(accepted: 3)
        #expect(world.send(.nudge(from: .user(1), to: .user(2)), at: Self.at(0)) == .done)
        #expect(world.told.last == .nudged(from: .user(1), to: .user(2)))
        #expect(world.send(.nudge(from: .user(1), to: .user(2)), at: Self.at(59.999))?.refusal == .nudgeTooOften)
        #expect(world.send(.nudge(from: .user(1), to: .user(3)), at: Self.at(59.999)) == .done)
        #expect(world.send(.nudge(from: .user(2), to: .user(1)), at: Self.at(59.999)) == .done)
        #expect(world.send(.nudge(from: .user(1), to: .user(2)), at: Self.at(60)) == .done)
    }

    @Test(
        .proves("9.5"),
        arguments: [(59.999, Refusal.nudgeTooOften), (60, nil), (60.001, nil)] as [(Double, Refusal?)]
    )
    func `a restart keeps the last reminder of a pair`(second: Double, refusal: Refusal?) {
        var world = SessionWorld(accepted: 3)
        #expect(world.send(.nudge(from: .user(1), to: .user(2)), at: Self.at(0)) == .done)
        world.restart(at: Self.at(30))
        #expect(world.send(.nudge(from: .user(2), to: .user(1)), at: Self.at(31)) == .done)
        #expect(world.send(.nudge(from: .user(1), to: .user(2)), at: Self.at(second))?.refusal == refusal)
    }

    @Test(arguments: [
        (UInt64(1), UInt64(1), Refusal.invalid(field: "userId")), (1, 9, .userNotFound), (1, 3, .promiseNotAccepted),
        (9, 1, .promiseNotFound), (3, 1, .promiseNotAccepted),
    ])
    func `one participant reminds another`(from: UInt64, to: UInt64, refusal: Refusal) {
        var world = MembershipTests.world()
        #expect(world.send(.nudge(from: .user(from), to: .user(to)), at: Self.at(0))?.refusal == refusal)
    }

    @Test(.proves("9.5")) func `a participant who has arrived cannot be nudged`() {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: 0)
        #expect(world.send(.nudge(from: .user(1), to: .user(2)), at: Self.at(10))?.refusal == .promiseClosed)
    }

    @Test(.proves("9.9"), arguments: [(-0.001, true), (0, false), (0.001, false)])
    func `announces neither pause nor status after the window`(second: Double, isTold: Bool) {
        var world = SessionWorld(accepted: 2)
        let now = world.machine.promise.closesAt + .milliseconds(Int64(second * 1_000))
        world.run(to: now)
        let before = world.told.count
        #expect(world.send(.setStatus(.user(2), text: "Home", emoji: nil), at: now) == .done)
        #expect(world.send(.setSharing(.user(2), on: false), at: now) == .done)
        let told = world.told.dropFirst(before)
        #expect(told.contains(.status(.user(2), text: "Home", emoji: "")) == isTold)
        #expect(told.contains(.sharing(.user(2), on: false)) == isTold)
        // Stores an unannounced change.
        #expect(world.archive.participants[1].statusText == "Home")
        #expect(world.archive.participants[1].isSharing == false)
    }

    @Test(
        .proves("9.9"),
        arguments: [(-0.001, nil), (0, .promiseClosed), (0.001, .promiseClosed)] as [(Double, Refusal?)]
    )
    func `rejects reminders after the window`(second: Double, refusal: Refusal?) {
        var spans = WindowSpans()
        spans.after = .minutes(20)
        var world = SessionWorld(.sample(spans: spans), accepted: 2)
        let now = world.machine.promise.closesAt + .milliseconds(Int64(second * 1_000))
        #expect(world.send(.nudge(from: .user(1), to: .user(2)), at: now)?.refusal == refusal)
    }

    // MARK: - Blocks

    @Test(.proves("3.7")) func `a block hides live data both ways and keeps arrivals and ranks`() {
        var world = SessionWorld(accepted: 3)
        world.arrive(2, at: 0)
        world.send(.setStatus(.user(2), text: "Here", emoji: "🎉"), at: Self.at(6))
        world.send(.blocks([UserPair(.user(1), .user(2))]), at: Self.at(7))
        let seen = world.machine.view(at: Self.at(7), for: .user(1)).members[1]
        #expect(seen.live.position == nil)
        #expect(seen.presence == nil)
        #expect(seen.estimate == nil)
        #expect(seen.participant.statusText.isEmpty)
        #expect(seen.participant.emoji.isEmpty)
        #expect(seen.arrival?.rank == 1)
        #expect(world.machine.view(at: Self.at(7), for: .user(3)).members[1].live.position != nil)
        #expect(world.machine.hidden(from: .user(2)) == [.user(1)])
        #expect(world.machine.hidden(from: .user(3)).isEmpty)
    }

    @Test func `announcements skip users who must not receive them`() {
        let presences = [
            Presence(userID: .user(1), freshness: .live), Presence(userID: .user(2), freshness: .lost),
        ]
        #expect(PassingEvent.presence(presences).without([.user(2)]) == .presence([presences[0]]))
        #expect(PassingEvent.presence([presences[1]]).without([.user(2)]) == nil)
        #expect(PassingEvent.nudged(from: .user(2), to: .user(3)).without([.user(2)]) == nil)
        #expect(PassingEvent.sharing(.user(2), on: true).without([.user(2)]) == nil)
        let pace = PassingEvent.pace(.user(2), nextReport: nil)
        #expect(pace.without([.user(2)]) == pace)
    }
}
