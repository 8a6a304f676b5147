import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Joining by code, transferring ownership, and leaving permanently (domain §2, §4).
@Suite struct JoiningTests {
    static let promise = Promise.sample()

    @Test func `a code admits strangers and invited, declined and former participants`() {
        var world = MembershipTests.world()
        for user: UInt64 in [9, 3, 4, 5] {
            #expect(world.send(.join(.user(user)), at: .meeting) == .done)
            #expect(world.announced == [.joined(.user(user))])
            #expect(world.machine.isAccepted(.user(user)))
        }
    }

    @Test func `joining again changes nothing`() {
        var world = MembershipTests.world()
        #expect(world.send(.join(.user(2)), at: .meeting) == .done)
        #expect(world.announced.isEmpty)
    }

    @Test func `a removed participant cannot rejoin by code`() {
        var world = MembershipTests.world()
        #expect(world.send(.join(.user(6)), at: .meeting)?.refusal == .codeInvalid)
    }

    /// All other objections take precedence.
    @Test(arguments: [
        (UInt64(2), Refusal?.none, Refusal?.none), (3, .promiseLimit, .promiseLimit),
        (4, .promiseNotFound, .promiseLimit),
        (5, .promiseNotFound, .promiseLimit), (6, .promiseNotFound, .codeInvalid), (9, .promiseNotFound, .promiseLimit),
    ])
    func `rejects joining without room for another promise`(user: UInt64, toAccept: Refusal?, toJoin: Refusal?) {
        let acts: [(SessionEvent, Refusal?)] = [
            (.respond(.user(user), accept: true, hasRoom: false), toAccept),
            (.join(.user(user), hasRoom: false), toJoin),
        ]
        for (act, refusal) in acts {
            var world = MembershipTests.world()
            #expect(world.send(act, at: .meeting)?.refusal == refusal)
            #expect(world.announced.isEmpty)
        }
    }

    @Test func `an invitation can be declined without room`() {
        var world = MembershipTests.world()
        #expect(world.send(.respond(.user(3), accept: false, hasRoom: false), at: .meeting) == .done)
        #expect(world.announced == [.declined(.user(3))])
    }

    @Test(.proves("4.10"), arguments: [(-1, Refusal?.none), (0, .codeInvalid)])
    func `a code is valid until the window ends`(milliseconds: Int, refusal: Refusal?) {
        var world = SessionWorld(accepted: 2)
        let now = Self.promise.closesAt + .milliseconds(Int64(milliseconds))
        #expect(world.send(.join(.user(3)), at: now)?.refusal == refusal)
    }

    @Test(.proves("4.4"), arguments: [(UInt64(48), Refusal?.none), (49, nil), (50, .promiseLimit)])
    func `limits current participants to 50`(already: UInt64, refusal: Refusal?) {
        var world = SessionWorld(accepted: already)
        #expect(world.send(.join(.user(100)), at: .meeting)?.refusal == refusal)
    }

    /// This number of participants has left; a new user joins, or one of those again.
    @Test(.proves("4.4"), arguments: [(UInt64(78), false, Refusal?.none), (79, false, .promiseLimit), (79, true, nil)])
    func `limits all participants of a promise ever to 80`(gone: UInt64, isKnown: Bool, refusal: Refusal?) {
        let left = (2..<(2 + gone)).map { Participant.left(.user($0), at: .meeting - .hours(1)) }
        var world = SessionWorld(participants: [.accepted(.user(1))] + left)
        #expect(world.send(.join(.user(isKnown ? 2 : 900)), at: .meeting)?.refusal == refusal)
    }

    /// A full log refuses actions that users could undo and repeat without end; it never refuses leaving.
    @Test(arguments: [(9_998, Refusal?.none), (9_999, nil), (10_000, .promiseLimit), (10_001, .promiseLimit)])
    func `limits repeatable events of a promise to 10,000`(events: Int, refusal: Refusal?) {
        let repeated: [SessionEvent] = [
            .join(.user(4)), .handOver(to: .user(2), by: .user(1)),
            .edit(EditTests.edit { $0.title = "Lunch" }, by: .user(1)),
            .edit(EditTests.edit { $0.invite = [.user(5)] }, by: .user(1)),
            .excuse(.user(2), by: .user(1), reason: "ill"),
        ]
        let people = [.accepted(.user(1)), .accepted(.user(2)), Participant.invited(.user(3))]
        let full = SessionSnapshot(promise: Self.promise, participants: people, lastSeq: events)
        for event in repeated {
            var world = SessionWorld(restoring: full)
            #expect(world.send(event, at: Self.promise.createdAt)?.refusal == refusal, "\(event)")
        }
        for event in [
            SessionEvent.respond(.user(3), accept: true), .leave(.user(2)), .cancel(by: .user(1), reason: ""),
        ] {
            var world = SessionWorld(restoring: full)
            #expect(world.send(event, at: Self.promise.createdAt)?.refusal == nil, "\(event)")
        }
    }

    // MARK: - Handing over

    @Test(.proves("4.14")) func `the new owner gains the rights that the old one loses`() {
        var world = SessionWorld(accepted: 3)
        #expect(world.send(.handOver(to: .user(2), by: .user(1)), at: .meeting) == .done)
        #expect(world.announced == [.handedOver(.user(2))])
        #expect(world.archive.promise.ownerID == .user(2))
        #expect(world.send(.cancel(by: .user(1), reason: ""), at: .meeting)?.refusal == .promiseNotOwner)
        #expect(world.send(.leave(.user(1)), at: .meeting) == .done)
        #expect(world.send(.leave(.user(2)), at: .meeting)?.refusal == .forbidden)
    }

    @Test func `the former owner's course leaves the promise`() {
        var promise = Self.promise
        promise.courseID = CourseID(high: 7, low: 1)
        let people = [Participant.accepted(.user(1)), .accepted(.user(2))]
        for event in [SessionEvent.handOver(to: .user(2), by: .user(1)), .part(.user(1))] {
            var world = SessionWorld(restoring: SessionSnapshot(promise: promise, participants: people))
            world.send(event, at: .meeting)
            #expect(world.machine.promise.ownerID == .user(2) && world.machine.promise.courseID == nil)
            #expect(world.archive.promise.courseID == nil)
        }
    }

    @Test func `removes a deleted course from the promise without an event`() {
        var promise = Self.promise
        promise.courseID = CourseID(high: 7, low: 1)
        let people = [Participant.accepted(.user(1))]
        var world = SessionWorld(restoring: SessionSnapshot(promise: promise, participants: people))
        world.send(.courseDeleted(CourseID(high: 7, low: 2)), at: .meeting)
        #expect(world.machine.promise == promise)
        world.send(.courseDeleted(CourseID(high: 7, low: 1)), at: .meeting)
        promise.courseID = nil
        #expect(world.machine.promise == promise && world.announced.isEmpty)
    }

    @Test(
        .proves("4.14"),
        arguments: [
            (UInt64(9), UInt64(2), Refusal.promiseNotFound), (4, 2, .promiseNotFound), (2, 2, .promiseNotOwner),
            (3, 2, .promiseNotOwner), (1, 9, .userNotFound),
            (1, 3, .promiseNotAccepted), (1, 5, .promiseNotAccepted),
        ]
    )
    func `only the owner transfers ownership, to an accepted participant`(from: UInt64, to: UInt64, refusal: Refusal) {
        var world = MembershipTests.world()
        #expect(world.send(.handOver(to: .user(to), by: .user(from)), at: .meeting)?.refusal == refusal)
    }

    @Test func `rejects transfers after settling`() {
        var world = SessionWorld(accepted: 2)
        let last = Self.promise.settlesAt - .milliseconds(1)
        #expect(world.send(.handOver(to: .user(2), by: .user(1)), at: last) == .done)
        let late = world.send(.handOver(to: .user(1), by: .user(2)), at: Self.promise.settlesAt)
        #expect(late?.refusal == .promiseClosed)
    }

    // MARK: - A deleted account

    @Test func `a departed owner's promise passes to the first accepted participant`() {
        var world = SessionWorld(
            participants: [
                .accepted(.user(1)), .accepted(.user(2), at: .meeting - .minutes(70)),
                .accepted(.user(3), at: .meeting - .minutes(80)), .invited(.user(4)),
            ]
        )
        world.send(.part(.user(1)), at: .meeting - .minutes(60))
        #expect(world.announced == [.handedOver(.user(3)), .left(.user(1))])
        #expect(world.machine.participant(.user(1))?.membership == .left)
    }

    @Test func `cancels the promise of a departed owner without other accepted participants`() {
        var world = SessionWorld(participants: [.accepted(.user(1)), .invited(.user(2))])
        world.send(.part(.user(1)), at: .meeting)
        #expect(world.announced == [.cancelled(reason: "")])
        #expect(world.machine.isOver)
    }

    @Test func `departing participants leave, invited ones decline, former ones stay out`() {
        var world = MembershipTests.world()
        world.send(.part(.user(2)), at: .meeting)
        #expect(world.announced == [.left(.user(2))])
        world.send(.part(.user(3)), at: .meeting)
        #expect(world.announced == [.declined(.user(3))])
        for user: UInt64 in [4, 5, 6, 9] {
            world.send(.part(.user(user)), at: .meeting)
            #expect(world.announced.isEmpty)
        }
    }
}
