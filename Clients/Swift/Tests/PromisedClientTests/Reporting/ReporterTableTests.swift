import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite struct ReporterTableTests {
    private func welcome(intervalMs: UInt32) -> WireWelcome {
        var welcome = WireWelcome()
        welcome.reportIntervalMs = intervalMs
        return welcome
    }

    @Test func `a late reporter receives the connection, the user and the interval`() {
        var reporters = ReporterTable()
        let (early, late) = (ReportingInstructions(), ReportingInstructions())
        reporters.attach(early, connection: nil, userID: "")
        reporters.take(welcome(intervalMs: 7_000))
        reporters.ready(connection: 3, userID: "ann")
        reporters.attach(late, connection: 3, userID: "ann")
        for instructions in [early, late] {
            #expect(instructions.state.connection == 3)
            #expect(instructions.state.userID == "ann")
            #expect(instructions.state.plan.interval == .seconds(7))
        }
        // A welcome without an interval keeps the last one.
        reporters.take(welcome(intervalMs: 0))
        reporters.ready(connection: 4, userID: "ann")
        #expect(late.state.plan.interval == .seconds(7))
        reporters.lost()
        #expect(early.state.connection == nil)
        #expect(late.state.connection == nil)
    }

    @Test func `every reporter receives the server's advice until it is detached`() {
        var reporters = ReporterTable()
        let (staying, leaving) = (ReportingInstructions(), ReportingInstructions())
        for instructions in [staying, leaving] { reporters.attach(instructions, connection: 1, userID: "ann") }
        reporters.subscribed("p", nextReportMs: 2_000, at: .seconds(100))
        for instructions in [staying, leaving] { #expect(instructions.state.plan.due == .seconds(102)) }
        reporters.detach(leaving)
        reporters.sharing("p", on: false, at: .seconds(101))
        #expect(staying.state.plan.due == nil)
        #expect(leaving.state.plan.due == .seconds(102))
        var event = WireEvent.with { $0.promiseID = "p" }
        event.trackingStarted = WireEvent.TrackingStarted()
        reporters.heard(event, at: .seconds(103))
        #expect(staying.state.plan.due == .seconds(103))
        reporters.end()
        #expect(staying.state.isOver)
        #expect(!leaving.state.isOver)
    }
}
