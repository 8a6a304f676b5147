import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The acts that each membership allows, and when: user 1 owns, 2 accepted, 3 is invited, 4 declined, 5 left,
/// 6 was removed, 7 paused; 9 is a stranger.
@Suite struct MembershipTests {
    static let promise = Promise.sample()
    static let millisecond = TimeSpan.milliseconds(1)

    static func world() -> SessionWorld {
        var paused = Participant.accepted(.user(7))
        paused.isSharing = false
        return SessionWorld(
            participants: [
                .accepted(.user(1)), .accepted(.user(2)), .invited(.user(3)), .declined(.user(4)),
                .left(.user(5), at: .meeting - .minutes(70)), .removed(.user(6), at: .meeting - .minutes(70)), paused,
            ]
        )
    }

    enum Act: Sendable {
        case accept
        case decline
        case leave
        case report
        case cancel
        case share(Bool)

        func event(by user: UInt64, at now: Instant) -> SessionEvent {
            switch self {
            case .accept: .respond(.user(user), accept: true)
            case .decline: .respond(.user(user), accept: false)
            case .leave: .leave(.user(user))
            case .cancel: .cancel(by: .user(user), reason: "rain")
            case .share(let on): .setSharing(.user(user), on: on)
            case .report:
                .report(
                    from: .user(user),
                    Report(
                        device: SessionWorld.phone,
                        fixes: [PhoneClock().wallFix(at: min(now, promise.closesAt - millisecond), metres: 300)],
                        sent: PhoneClock().wallReading(at: now)
                    )
                )
            }
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var user: UInt64
        var act: Act
        var at: Instant
        var refusal: Refusal?
        var testDescription: String {
            "\(user) \(act) at \((at - .meeting).seconds): \(refusal.map { "\($0)" } ?? "done")"
        }

        init(_ user: UInt64, _ act: Act, _ at: Instant, _ refusal: Refusal? = nil) {
            self.user = user
            self.act = act
            self.at = at
            self.refusal = refusal
        }
    }

    static let before = promise.opensAt - millisecond
    static let closing = promise.closesAt
    static let settled = promise.settlesAt

    static let responses: [Case] = [
        // Until the window ends.
        Case(3, .accept, before),
        Case(3, .accept, .meeting),
        Case(3, .accept, closing - millisecond),
        Case(3, .accept, closing, .promiseClosed),
        Case(3, .accept, closing + millisecond, .promiseClosed),
        Case(3, .decline, closing - millisecond),
        Case(3, .decline, closing, .promiseClosed),
        Case(3, .accept, settled, .promiseClosed),
        // Memberships.
        Case(2, .accept, .meeting),
        Case(4, .accept, .meeting, .promiseNotFound),
        Case(5, .accept, .meeting, .promiseNotFound),
        Case(6, .accept, .meeting, .promiseNotFound),
        Case(9, .accept, .meeting, .promiseNotFound),
    ]

    static let leavings: [Case] = [
        Case(2, .leave, before),
        Case(2, .leave, .meeting),
        Case(2, .leave, closing),
        Case(2, .leave, settled - millisecond),
        Case(2, .leave, settled, .promiseClosed),
        Case(2, .leave, settled + millisecond, .promiseClosed),
        Case(2, .decline, .meeting),
        Case(1, .leave, .meeting, .forbidden),
        Case(1, .decline, .meeting, .forbidden),
        Case(3, .leave, .meeting, .promiseNotAccepted),
        Case(4, .leave, .meeting, .promiseNotFound),
        Case(5, .leave, .meeting, .promiseNotFound),
        Case(6, .leave, .meeting, .promiseNotFound),
        Case(9, .leave, .meeting, .promiseNotFound),
    ]

    static let reports: [Case] = [
        Case(2, .report, before, .positionOutsideWindow),
        Case(2, .report, promise.opensAt),
        Case(2, .report, promise.opensAt + millisecond),
        Case(2, .report, closing - millisecond),
        Case(2, .report, closing),
        Case(2, .report, settled - millisecond),
        Case(2, .report, settled, .positionOutsideWindow),
        Case(2, .report, settled + millisecond, .positionOutsideWindow),
        Case(1, .report, .meeting),
        Case(3, .report, .meeting, .positionNotAccepted),
        Case(4, .report, .meeting, .positionNotAccepted),
        Case(5, .report, .meeting, .positionNotAccepted),
        Case(6, .report, .meeting, .positionNotAccepted),
        Case(7, .report, .meeting, .positionSharingOff),
        Case(9, .report, .meeting, .promiseNotFound),
    ]

    static let cancellations: [Case] = [
        Case(1, .cancel, promise.createdAt),
        Case(1, .cancel, before),
        Case(1, .cancel, .meeting),
        Case(1, .cancel, closing),
        Case(1, .cancel, settled - millisecond),
        Case(1, .cancel, settled, .promiseClosed),
        Case(1, .cancel, settled + millisecond, .promiseClosed),
        Case(2, .cancel, .meeting, .promiseNotOwner),
        Case(3, .cancel, .meeting, .promiseNotOwner),
        Case(4, .cancel, .meeting, .promiseNotFound),
        Case(5, .cancel, .meeting, .promiseNotFound),
        Case(9, .cancel, .meeting, .promiseNotFound),
    ]

    static let sharings: [Case] = [
        Case(2, .share(false), .meeting),
        Case(2, .share(true), .meeting),
        Case(7, .share(true), .meeting),
        Case(2, .share(false), settled, .promiseClosed),
        Case(3, .share(false), .meeting, .promiseNotAccepted),
        Case(5, .share(false), .meeting, .promiseNotAccepted),
        Case(9, .share(false), .meeting, .promiseNotFound),
    ]

    @Test(
        .proves("4.7", "4.8", "4.13", "5.1", "leavePromise", "respond", "promise.closed", "position.sharing-off"),
        arguments: responses + leavings + reports + cancellations + sharings
    )
    func `performs each action or rejects it with its code, and a refusal stores nothing`(_ row: Case) {
        var world = Self.world()
        world.run(to: row.at)
        let archive = world.archive
        let events = world.events
        let reply = world.send(row.act.event(by: row.user, at: row.at), at: row.at)
        #expect(reply != nil)
        #expect(reply?.refusal == row.refusal)
        if row.refusal != nil {
            #expect(world.archive == archive)
            #expect(world.events == events)
        }
    }

    static let announcements: [(act: Act, user: UInt64, event: PromiseEvent?)] = [
        (.accept, 3, .joined(.user(3))),
        (.decline, 3, .declined(.user(3))),
        (.accept, 2, nil),
        (.leave, 2, .left(.user(2))),
        (.decline, 2, .left(.user(2))),
        (.cancel, 1, .cancelled(reason: "rain")),
        (.share(false), 2, nil),
    ]

    @Test(.proves("4.7", "9.1", "joined", "declined", "left", "cancelled"), arguments: announcements)
    func `announces each action once`(act: Act, user: UInt64, event: PromiseEvent?) {
        var world = Self.world()
        world.run(to: .meeting)
        world.send(act.event(by: user, at: .meeting), at: .meeting)
        #expect(world.announced == [event].compactMap { $0 })
    }
}
