import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The owner excuses others (domain §8).
@Suite struct ExcuseTests {
    static let promise = Promise.sample(penalty: Penalty(amount: 700, currency: "EUR"))
    static let millisecond = TimeSpan.milliseconds(1)

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var by: UInt64 = 1
        var user: UInt64 = 2
        var at: Instant = .meeting
        var refusal: Refusal?
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "while scheduled", at: promise.opensAt - .minutes(5)),
        Case(name: "while tracking"),
        Case(name: "once final", at: promise.settlesAt),
        Case(name: "1 ms before 7 days", at: promise.settlesAt + .days(7) - millisecond),
        Case(name: "1 ms after 7 days", at: promise.settlesAt + .days(7) + millisecond, refusal: .promiseClosed),
        Case(name: "themself", user: 1, refusal: .forbidden),
        Case(name: "not the owner", by: 2, user: 7, refusal: .promiseNotOwner),
        Case(name: "a stranger's wish", by: 9, refusal: .promiseNotFound),
        Case(name: "a stranger", user: 9, refusal: .userNotFound),
        Case(name: "somebody who was only invited", user: 3, refusal: .userNotFound),
        Case(name: "somebody who left before the window", user: 5, refusal: .userNotFound),
    ]

    @Test(.proves("8.6"), arguments: cases)
    func `the owner excuses others, in time`(_ row: Case) {
        var world = SessionWorld(Self.promise, participants: MembershipTests.world().archive.participants)
        let event = SessionEvent.excuse(.user(row.user), by: .user(row.by), reason: "ill")
        #expect(world.send(event, at: row.at)?.refusal == row.refusal)
        world.finish()
        let excused = world.machine.result?.rows.filter { $0.outcome == .excused }.map(\.userID)
        #expect(excused == (row.refusal == nil ? [.user(row.user)] : []))
    }

    @Test(.proves("8.6"), arguments: [false, true])
    func `an excuse removes the penalty and changes neither time, rank nor other participants`(isAfterwards: Bool) {
        var world = SessionWorld(Self.promise, accepted: 3)
        world.arrive(2, at: 100)
        world.arrive(3, at: 200)
        if isAfterwards { world.finish() }
        let at = isAfterwards ? Self.promise.settlesAt + .days(1) : .meeting + .minutes(10)
        world.send(.excuse(.user(2), by: .user(1), reason: "ill"), at: at)
        #expect(world.announced == [.excused(.user(2))])
        world.finish()
        #expect(world.row(2)?.outcome == .excused)
        #expect(world.row(2)?.creditedAt == .meeting + .seconds(100))
        #expect(world.row(2)?.excusedReason == "ill")
        #expect([1, 2, 3].map { world.row($0)?.rank } == [0, 1, 2])
        #expect([1, 2, 3].map { world.row($0)?.penaltyOwed } == [700, 0, 700])
        #expect(world.archive.result == world.machine.result)
    }

    @Test(.proves("8.6")) func `announces a repeated excuse once, and a restart keeps it`() {
        var world = SessionWorld(Self.promise, accepted: 2)
        for _ in 0..<2 { world.send(.excuse(.user(2), by: .user(1), reason: "ill"), at: .meeting) }
        world.restart(at: .meeting + .minutes(1))
        world.finish()
        #expect(world.happened.filter { $0 == .excused(.user(2)) }.count == 1)
        #expect(world.row(2)?.outcome == .excused)
    }

    @Test(.proves("8.3")) func `rejects excuses in a cancelled promise`() {
        var world = SessionWorld(Self.promise, accepted: 2)
        world.send(.cancel(by: .user(1), reason: ""), at: .meeting)
        let reply = world.sendUnwoken(.excuse(.user(2), by: .user(1), reason: "ill"), at: .meeting + .minutes(1))
        #expect(reply?.refusal == .promiseClosed)
    }
}
