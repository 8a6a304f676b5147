import PromisedTestSupport
import Testing

@testable import PromisedDomain

/// When a session is woken, without a session.
struct WakePlanTests {
    private var plan = WakePlan(workedUpTo: .meeting)

    private static func at(_ seconds: Double) -> Instant { .meeting + .seconds(seconds) }

    private func at(_ seconds: Double) -> Instant { Self.at(seconds) }

    @Test(
        arguments: [
            // The instants requested one after the other, each at the given second, and `true` if it must be
            // requested.
            [(0, 10, isAsked: true)],
            [(0, 10, isAsked: true), (1, 12, isAsked: false), (2, 10, isAsked: false)],
            [(0, 10, isAsked: true), (1, 9, isAsked: true), (2, 10, isAsked: false)],
            // Requests the next wake after the previous one.
            [(0, 10, isAsked: true), (9.999, 12, isAsked: false), (10, 12, isAsked: true)],
            // Does not request a past wake.
            [(5, 5, isAsked: false), (5, 4, isAsked: false), (5, 6, isAsked: true)],
        ] as [[(Double, Double, isAsked: Bool)]]
    )
    mutating func `requests only a wake earlier than the next one`(
        steps: [(Double, Double, isAsked: Bool)]
    ) {
        for (now, next, isAsked) in steps {
            #expect(plan.ask(for: at(next), at: at(now)) == isAsked, "\(next) at \(now)")
        }
    }

    @Test mutating func `a postponed wake counts as requested`() {
        #expect(plan.ask(for: at(10), at: at(0)) == true)
        plan.putOff(until: at(20))
        #expect(plan.isWakeToCome(at: at(19.999)) && !plan.isWakeToCome(at: at(20)))
        #expect(plan.ask(for: at(25), at: at(10)) == false)
    }

    @Test mutating func `the clock is due at its earliest known change`() {
        // No member was evaluated yet.
        #expect(plan.isClockDue(at: at(-1_000)))
        plan.noteClock(at(10))
        #expect(!plan.isClockDue(at: at(9.999)) && plan.isClockDue(at: at(10)))
        // For one member, only an earlier wake can be new.
        plan.noteClock(ofOne: at(12))
        plan.noteClock(ofOne: nil)
        #expect(!plan.isClockDue(at: at(9.999)) && plan.isClockDue(at: at(10)))
        plan.noteClock(ofOne: at(8))
        #expect(plan.isClockDue(at: at(8)))
        plan.noteClock(nil)
        #expect(!plan.isClockDue(at: at(1_000_000)))
        plan.workedOff(to: at(20))
        plan.reconsider()
        #expect(!plan.isClockDue(at: at(19.999)) && plan.isClockDue(at: at(20)))
    }

    @Test mutating func `completed work stays completed`() {
        plan.workedOff(to: at(10))
        plan.workedOff(to: at(5))
        #expect(plan.workedUpTo == at(10))
        // The next step, 1 ms later, announces the changes in between.
        #expect(plan.after(at(9)) == at(10.001))
        #expect(plan.after(at(11)) == at(11))
    }

    @Test(
        arguments: [
            (clock: 10, due: nil, isInTime: true), (clock: 10, due: 10, isInTime: true),
            (clock: 11, due: 12, isInTime: true),
            (clock: 9.999, due: nil, isInTime: false), (clock: 10, due: 9.999, isInTime: false),
            (clock: nil, due: nil, isInTime: true),
        ] as [(clock: Double?, due: Double?, isInTime: Bool)]
    )
    mutating func `a wake is in time when nothing is due before it`(clock: Double?, due: Double?, isInTime: Bool) {
        #expect(!plan.isInTime(for: nil))
        #expect(plan.ask(for: at(10), at: at(0)) == true)
        plan.noteClock(clock.map { at($0) })
        #expect(plan.isInTime(for: due.map { at($0) }) == isInTime)
    }

    @Test mutating func `recalls begin once, at the earliest recorded instant`() {
        #expect(plan.takeRecall(at: at(100)) == false)
        plan.noteRecall(dueAt: at(10))
        plan.noteRecall(dueAt: at(20))
        #expect(plan.nextRecallAt == at(10))
        #expect(plan.takeRecall(at: at(9.999)) == false)
        #expect(plan.takeRecall(at: at(10)) == true)
        #expect(plan.nextRecallAt == nil)
        #expect(plan.takeRecall(at: at(20)) == false)
    }
}
