import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite struct ReportingPlanTests {
    private func event(_ what: WireEvent.OneOf_What, of promise: String = "p") -> WireEvent {
        WireEvent.with {
            $0.promiseID = promise
            $0.what = what
        }
    }

    private func positions(_ nextReportMs: UInt32) -> WireEvent.OneOf_What {
        var positions = WireEvent.Positions()
        positions.nextReportMs = nextReportMs
        return .positions(positions)
    }

    private func pace(_ nextReportMs: UInt32) -> WireEvent.OneOf_What {
        var pace = WireEvent.Pace()
        pace.nextReportMs = nextReportMs
        return .pace(pace)
    }

    private func sharing(_ on: Bool, of userID: String) -> WireEvent.OneOf_What {
        var change = WireEvent.SharingChanged()
        change.userID = userID
        change.on = on
        return .sharingChanged(change)
    }

    private func card(_ userID: String) -> WireUserCard {
        WireUserCard.with { $0.userID = userID }
    }

    private func hear(_ what: WireEvent.OneOf_What, _ plan: inout ReportingPlan, at seconds: Int) {
        plan.heard(event(what), of: "ann", at: .seconds(seconds))
    }

    @Test func `a reporter without instructions reports at once`() {
        let plan = ReportingPlan()
        #expect(plan.due == .zero)
        #expect(plan.wantsFixes(at: .zero))
    }

    @Test func `follows the slot, and keeps it without news`() {
        var plan = ReportingPlan()
        plan.subscribed("p", nextReportMs: 3_000, at: .seconds(100))
        #expect(plan.due == .seconds(103))
        plan.sent(at: .seconds(103))
        #expect(plan.due == .seconds(108))
        hear(positions(4_750), &plan, at: 104)
        #expect(plan.due == .milliseconds(108_750))
        plan.reported(nil, nextReportMs: 2_000, at: .seconds(105))
        #expect(plan.due == .seconds(107))
    }

    @Test func `a late report keeps the slot, a very late one starts over`() {
        var plan = ReportingPlan()
        plan.subscribed("p", nextReportMs: 3_000, at: .seconds(100))
        plan.sent(at: .seconds(107))
        #expect(plan.due == .seconds(108))
        plan.sent(at: .seconds(130))
        #expect(plan.due == .seconds(135))
    }

    @Test func `a pace overrides everything until the next one`() {
        var plan = ReportingPlan()
        plan.subscribed("p", nextReportMs: 3_000, at: .seconds(100))
        hear(pace(60_000), &plan, at: 101)
        #expect(plan.due == .seconds(161))
        hear(positions(4_000), &plan, at: 102)
        plan.reported(nil, nextReportMs: 4_000, at: .seconds(103))
        #expect(plan.due == .seconds(161))
        plan.sent(at: .seconds(161))
        #expect(plan.due == .seconds(221))
        hear(pace(5_000), &plan, at: 162)
        #expect(plan.due == .seconds(167))
        plan.sent(at: .seconds(167))
        #expect(plan.due == .seconds(172))
    }

    @Test func `a new subscription ends a pace`() {
        var plan = ReportingPlan()
        hear(pace(60_000), &plan, at: 100)
        plan.subscribed("p", nextReportMs: 4_000, at: .seconds(110))
        #expect(plan.due == .seconds(114))
        hear(positions(3_000), &plan, at: 112)
        #expect(plan.due == .seconds(115))
    }

    @Test func `zero stops, and positions alone do not restart`() {
        for stop in 0..<3 {
            var plan = ReportingPlan()
            plan.subscribed("p", nextReportMs: 3_000, at: .seconds(100))
            switch stop {
            case 0: hear(pace(0), &plan, at: 101)
            case 1: plan.reported(nil, nextReportMs: 0, at: .seconds(101))
            default: plan.subscribed("p", nextReportMs: 0, at: .seconds(101))
            }
            #expect(plan.due == nil)
            hear(positions(4_000), &plan, at: 102)
            #expect(plan.due == nil)
            #expect(!plan.wantsFixes(at: .seconds(102)))
            hear(pace(5_000), &plan, at: 103)
            #expect(plan.due == .seconds(108))
        }
    }

    @Test func `a slot stops when its session ends`() {
        var plan = ReportingPlan()
        hear(positions(4_000), &plan, at: 100)
        #expect(plan.due == .seconds(104))
        hear(positions(0), &plan, at: 101)
        #expect(plan.due == nil)
    }

    @Test func `an opening window starts reports, unless its first slot is known`() {
        var plan = ReportingPlan()
        plan.subscribed("p", nextReportMs: 0, at: .seconds(1))
        hear(.trackingStarted(WireEvent.TrackingStarted()), &plan, at: 100)
        #expect(plan.due == .seconds(100))
        plan.subscribed("p", nextReportMs: 3_000, at: .seconds(100))
        hear(.trackingStarted(WireEvent.TrackingStarted()), &plan, at: 101)
        #expect(plan.due == .seconds(103))
    }

    @Test func `the end of the window or of the user's participation stops the reports`() {
        var left = WireEvent.Left()
        left.user = card("ann")
        var removed = WireEvent.Removed()
        removed.user = card("ann")
        let ends: [WireEvent.OneOf_What] = [
            .trackingEnded(WireEvent.TrackingEnded()), .cancelled(WireEvent.Cancelled()),
            .resultFinal(WireEvent.ResultFinal()), .left(left), .removed(removed), sharing(false, of: "ann"),
        ]
        for end in ends {
            var plan = ReportingPlan()
            plan.subscribed("p", nextReportMs: 3_000, at: .seconds(100))
            hear(end, &plan, at: 101)
            #expect(plan.due == nil, "\(end)")
        }
    }

    @Test func `events of other users change nothing`() {
        var left = WireEvent.Left()
        left.user = card("bea")
        var plan = ReportingPlan()
        plan.subscribed("p", nextReportMs: 3_000, at: .seconds(100))
        for what in [.left(left), sharing(false, of: "bea"), .meetingTime(WireEvent.MeetingTime())] {
            hear(what, &plan, at: 101)
            #expect(plan.due == .seconds(103))
        }
    }

    @Test func `sharing again starts at once`() {
        var plan = ReportingPlan()
        plan.subscribed("p", nextReportMs: 3_000, at: .seconds(100))
        hear(sharing(false, of: "ann"), &plan, at: 101)
        hear(sharing(true, of: "ann"), &plan, at: 102)
        #expect(plan.due == .seconds(102))
    }

    // MARK: - Several promises

    @Test func `the earliest of several promises counts, and a stop stops one`() {
        var plan = ReportingPlan()
        plan.subscribed("p", nextReportMs: 4_000, at: .seconds(100))
        plan.subscribed("q", nextReportMs: 2_000, at: .seconds(100))
        #expect(plan.due == .seconds(102))
        plan.heard(event(pace(0), of: "q"), of: "ann", at: .seconds(101))
        #expect(plan.due == .seconds(104))
        plan.stop("p")
        #expect(plan.due == nil)
    }

    @Test func `an instruction for a promise replaces the general one`() {
        var plan = ReportingPlan()
        plan.reported(nil, nextReportMs: 3_000, at: .seconds(100))
        #expect(plan.due == .seconds(103))
        hear(pace(60_000), &plan, at: 101)
        #expect(plan.due == .seconds(161))
    }

    @Test func `one report serves slots that are near each other`() {
        var plan = ReportingPlan()
        plan.subscribed("p", nextReportMs: 2_000, at: .seconds(100))
        plan.subscribed("q", nextReportMs: 3_250, at: .seconds(100))
        plan.subscribed("r", nextReportMs: 3_251, at: .seconds(100))
        plan.sent(at: .seconds(102))
        #expect(plan.due == .milliseconds(103_251))
        plan.sent(at: .milliseconds(103_251))
        #expect(plan.due == .seconds(107))
    }

    @Test func `stopping the current tracking does not stop a later one`() {
        var plan = ReportingPlan()
        plan.subscribed("now", nextReportMs: 2_000, at: .seconds(100))
        plan.subscribed("later", nextReportMs: 1_200_000, at: .seconds(100))
        plan.reported(nil, nextReportMs: 0, at: .seconds(102))
        #expect(plan.due == .seconds(1_300))
        #expect(plan.wantsFixesFrom == .seconds(1_210))
        #expect(!plan.wantsFixes(at: .seconds(1_209)))
        #expect(plan.wantsFixes(at: .seconds(1_210)))
    }
}
