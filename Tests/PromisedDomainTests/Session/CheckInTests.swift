import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Check-in by hand (domain §6.7). R = 50 m and e = 10 m, so "near enough" ends at 60 m.
@Suite struct CheckInTests {
    static func at(_ second: Double) -> Instant { .meeting + .seconds(second) }

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var metres: Double
        var accuracy: Double? = 10
        /// How long after the fix.
        var after = 5.0
        var refusal: Refusal?
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        // d − min(e, 100 m) ≤ R.
        Case(name: "59.999 m", metres: 59.999),
        Case(name: "60 m", metres: 60),
        Case(name: "60.001 m", metres: 60.001, refusal: .checkInTooFar),
        Case(name: "e = 100 m at 150 m", metres: 150, accuracy: 100),
        Case(name: "e = 100 m at 150.001 m", metres: 150.001, accuracy: 100, refusal: .checkInTooFar),
        Case(name: "e = 5 000 m at 150 m", metres: 150, accuracy: 5_000),
        Case(name: "e = 5 000 m at 150.001 m", metres: 150.001, accuracy: 5_000, refusal: .checkInTooFar),
        Case(name: "no accuracy at 100 m", metres: 100, accuracy: nil),
        Case(name: "no accuracy at 100.001 m", metres: 100.001, accuracy: nil, refusal: .checkInTooFar),
        // A latest fix at most 60 s old.
        Case(name: "59.999 s", metres: 60, after: 59.999),
        Case(name: "60 s", metres: 60, after: 60),
        Case(name: "60.001 s", metres: 60, after: 60.001, refusal: .checkInNoFix),
    ]

    @Test(.proves("6.12", "checkin.too-far"), arguments: cases)
    func `accepts a recent fix that may be inside, and confirms at once`(_ row: Case) {
        var world = SessionWorld(accepted: 2)
        var fix = PhoneClock().wallFix(at: Self.at(0), metres: row.metres)
        fix.accuracyMetres = row.accuracy
        world.report(2, [fix], at: 0)
        let reply = world.send(.checkIn(.user(2), .myself), at: Self.at(row.after))
        #expect(reply?.refusal == row.refusal)
        let arrival = world.entry(2)?.arrival
        #expect((arrival == nil) == (row.refusal != nil))
        guard let arrival else { return }
        #expect(arrival.stage == .confirmed)
        #expect(arrival.creditedAt == Self.at(row.after))
        #expect(arrival.source == .myself)
        #expect(world.announced.count == 2)
    }

    @Test(.proves("6.12", "checkin.no-fix"))
    func `rejects a check-in without a fix, except by code`() {
        var world = SessionWorld(accepted: 2)
        #expect(world.send(.checkIn(.user(2), .myself), at: Self.at(0))?.refusal == .checkInNoFix)
        #expect(world.send(.checkIn(.user(2), .peer), at: Self.at(1)) == .done)
        #expect(world.entry(2)?.arrival.source == .peer)
        #expect(world.entry(2)?.arrival.creditedAt == Self.at(1))
    }

    @Test(.proves("6.12")) func `accepts check-ins only while tracking and from accepted participants`() {
        var world = MembershipTests.world()
        let promise = world.machine.promise
        let refusals: [(UInt64, Instant, Refusal?)] = [
            (2, promise.opensAt - .milliseconds(1), .positionOutsideWindow), (2, promise.opensAt, nil),
            (3, .meeting, .promiseNotAccepted), (4, .meeting, .promiseNotAccepted), (9, .meeting, .promiseNotFound),
            (1, promise.closesAt - .milliseconds(1), nil), (7, promise.closesAt, .positionOutsideWindow),
        ]
        for (user, instant, refusal) in refusals {
            #expect(world.send(.checkIn(.user(user), .peer), at: instant)?.refusal == refusal)
        }
    }

    @Test(.proves("6.12")) func `an earlier time by positions stays, a later one is ignored`() {
        var world = SessionWorld(accepted: 3)
        world.arrive(2, at: 0)
        world.send(.checkIn(.user(2), .myself), at: Self.at(10))
        #expect(world.entry(2)?.arrival.creditedAt == Self.at(0))
        #expect(world.entry(2)?.arrival.source == .gps)
        #expect(world.entry(2)?.arrival.stage == .confirmed)
        world.walk(3, [(12, 55)])
        world.send(.checkIn(.user(3), .myself), at: Self.at(20))
        world.walk(3, [(60, 10), (65, 10)], first: 2)
        #expect(world.entry(3)?.arrival.creditedAt == Self.at(20))
        #expect(world.entry(3)?.arrival.source == .myself)
    }

    @Test func `a check-in survives leaving the place, a restart and the end`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 55)])
        world.send(.checkIn(.user(2), .myself), at: Self.at(5))
        world.walk(2, [(10, 100), (15, 150)], first: 2)
        world.restart(at: Self.at(20))
        world.finish()
        #expect(world.row(2)?.creditedAt == Self.at(5))
        #expect(world.row(2)?.source == .myself)
        #expect(world.row(2)?.outcome == .onTime)
    }

    @Test func `a second check-in changes nothing`() {
        var world = SessionWorld(accepted: 2)
        world.send(.checkIn(.user(2), .peer), at: Self.at(0))
        let archive = world.archive
        #expect(world.send(.checkIn(.user(2), .peer), at: Self.at(9)) == .done)
        #expect(world.archive == archive)
    }
}
