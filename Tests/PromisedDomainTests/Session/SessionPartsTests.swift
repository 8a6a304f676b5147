import PromisedTestSupport
import Testing

@testable import PromisedDomain

/// The small parts of a session, in isolation.
struct SessionPartsTests {
    private static func at(_ seconds: Double) -> Instant { .meeting + .seconds(seconds) }

    // MARK: - Pairs

    @Test(
        arguments: [
            (from: 1, to: 2, at: 59.999, isRefused: true), (from: 1, to: 2, at: 60, isRefused: false),
            (from: 2, to: 1, at: 0, isRefused: false), (from: 1, to: 3, at: 0, isRefused: false),
            (from: 3, to: 2, at: 0, isRefused: false),
        ] as [(from: UInt64, to: UInt64, at: Double, isRefused: Bool)]
    )
    func `limits reminders of a pair to one a minute`(from: UInt64, to: UInt64, at seconds: Double, isRefused: Bool) {
        var pairs = SessionPairs(blocks: [])
        pairs.restore([Nudge(from: .user(1), to: .user(2), at: Self.at(0))])
        let nudge = Nudge(from: .user(from), to: .user(to), at: Self.at(seconds))
        var refusal: Refusal?
        do throws(Refusal) { try pairs.note(nudge) } catch { refusal = error }
        #expect(refusal == (isRefused ? .nudgeTooOften : nil))
    }

    @Test func `a rejected reminder does not delay the next`() throws {
        var pairs = SessionPairs(blocks: [])
        func nudge(_ seconds: Double) throws {
            try pairs.note(Nudge(from: .user(1), to: .user(2), at: Self.at(seconds)))
        }
        try nudge(0)
        #expect(throws: Refusal.nudgeTooOften) { try nudge(30) }
        try nudge(60)
        pairs.forgetNudges()
        try nudge(61)
    }

    @Test func `a block applies in both directions`() {
        var pairs = SessionPairs(blocks: [UserPair(.user(1), .user(2)), UserPair(.user(3), .user(1))])
        #expect(pairs.blocked(with: .user(1)) == [.user(2), .user(3)])
        #expect(pairs.blocked(with: .user(2)) == [.user(1)])
        #expect(pairs.blocked(with: .user(4)) == [])
        pairs.blocks = []
        #expect(pairs.blocked(with: .user(1)) == [])
    }

    // MARK: - Viewers

    @Test(
        arguments: [
            // The number at each second, and the announced ones.
            [(at: 0, count: 0, told: nil), (at: 1, count: 1, told: 1), (at: 2, count: 1, told: nil)],
            // Not twice in a second; then the latest.
            [(at: 0, count: 1, told: 1), (at: 0.999, count: 2, told: nil), (at: 1, count: 3, told: 3)],
            // Does not repeat the last announced number.
            [(at: 0, count: 1, told: 1), (at: 0.5, count: 2, told: nil), (at: 2, count: 1, told: nil)],
        ] as [[(at: Double, count: Int, told: Int?)]]
    )
    func `announces a changed number of viewers, once a second`(
        steps: [(at: Double, count: Int, told: Int?)]
    ) {
        var viewing = SessionViewing(link: nil)
        for step in steps {
            viewing.count = step.count
            #expect(viewing.takeNews(at: Self.at(step.at)) == step.told, "\(step)")
        }
    }

    @Test func `a delayed number has its instant`() {
        var viewing = SessionViewing(link: nil)
        viewing.count = 1
        #expect(viewing.nextTelling == nil)
        #expect(viewing.takeNews(at: Self.at(0)) == 1)
        #expect(viewing.nextTelling == nil)
        viewing.count = 2
        #expect(viewing.nextTelling == Self.at(1))
    }

    // MARK: - Reporting

    private static let interval = TimeSpan.seconds(5)

    private static func reporting() -> Reporting {
        Reporting(.sample(), interval: interval, limits: FixLimits())
    }

    @Test(arguments: [(0, 0), (1, 0), (2, 1), (12, 11)] as [(Int64, Int64)])
    func `a pace of several slots skips the slots between`(_ pace: Int64, _ more: Int64) {
        let reporting = Self.reporting()
        let wait = reporting.slot.untilNext(after: Self.at(0))
        #expect(reporting.untilNext(after: Self.at(0), pace: pace) == wait + .seconds(Double(5 * more)))
    }

    @Test func `the first report comes with the first slot of the window`() {
        let promise = Promise.sample()
        let reporting = Self.reporting()
        for minutes in [1, 60, 600] as [Int64] {
            let now = promise.opensAt - .minutes(minutes)
            let first = now + reporting.untilFirst(of: promise, after: now)
            #expect(first >= promise.opensAt && first < promise.opensAt + Self.interval)
            // It is on the slot.
            #expect(reporting.slot.untilNext(after: first) == Self.interval)
        }
    }

    @Test func `keeps movement until it is consumed`() {
        var reporting = Self.reporting()
        #expect(!reporting.hasMovement)
        reporting.noteMovement()
        #expect(reporting.hasMovement)
        reporting.takeMovement()
        #expect(!reporting.hasMovement)
    }

    @Test func `announces estimates every fifteen seconds and delays those between`() {
        var reporting = Self.reporting()
        let told: [Instant?] = [Self.at(0), Self.at(5), nil]
        #expect(reporting.mayTell(2, after: nil, at: Self.at(6)) == true)
        #expect(reporting.nextDelayed { told[$0] } == nil)
        #expect(reporting.mayTell(0, after: told[0], at: Self.at(14.999)) == false)
        #expect(reporting.mayTell(1, after: told[1], at: Self.at(14.999)) == false)
        #expect(reporting.nextDelayed { told[$0] } == Self.at(15))
        // A member that is not awaited has no effect.
        #expect(reporting.nextDelayed { $0 == 0 ? nil : told[$0] } == Self.at(20))
        #expect(reporting.mayTell(0, after: told[0], at: Self.at(15)) == true)
        #expect(reporting.nextDelayed { told[$0] } == Self.at(20))
        reporting.forget(1)
        #expect(reporting.nextDelayed { told[$0] } == nil)
        #expect(reporting.mayTell(0, after: told[0], at: Self.at(1)) == false)
        reporting.forgetAll()
        #expect(reporting.nextDelayed { told[$0] } == nil)
    }
}
