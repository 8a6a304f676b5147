import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite struct ReportingDesksTests {
    private func welcome(intervalMs: UInt32) -> WireWelcome {
        var welcome = WireWelcome()
        welcome.reportIntervalMs = intervalMs
        return welcome
    }

    @Test func `a reporter that comes late learns the connection, the user and the interval`() {
        var desks = ReportingDesks()
        let (early, late) = (ReportingDesk(), ReportingDesk())
        desks.attach(early, connection: nil, userID: "")
        desks.take(welcome(intervalMs: 7_000))
        desks.ready(connection: 3, userID: "ann")
        desks.attach(late, connection: 3, userID: "ann")
        for desk in [early, late] {
            #expect(desk.state.connection == 3)
            #expect(desk.state.userID == "ann")
            #expect(desk.state.plan.interval == .seconds(7))
        }
        // A welcome that names no interval leaves the last one.
        desks.take(welcome(intervalMs: 0))
        desks.ready(connection: 4, userID: "ann")
        #expect(late.state.plan.interval == .seconds(7))
        desks.lost()
        #expect(early.state.connection == nil)
        #expect(late.state.connection == nil)
    }

    @Test func `every reporter hears the server's advice until it is detached`() {
        var desks = ReportingDesks()
        let (staying, leaving) = (ReportingDesk(), ReportingDesk())
        for desk in [staying, leaving] { desks.attach(desk, connection: 1, userID: "ann") }
        desks.subscribed("p", nextReportMs: 2_000, at: .seconds(100))
        for desk in [staying, leaving] { #expect(desk.state.plan.due == .seconds(102)) }
        desks.detach(leaving)
        desks.sharing("p", on: false, at: .seconds(101))
        #expect(staying.state.plan.due == nil)
        #expect(leaving.state.plan.due == .seconds(102))
        var event = WireEvent.with { $0.promiseID = "p" }
        event.trackingStarted = WireEvent.TrackingStarted()
        desks.heard(event, at: .seconds(103))
        #expect(staying.state.plan.due == .seconds(103))
        desks.end()
        #expect(staying.state.isOver)
        #expect(!leaving.state.isOver)
    }
}
