import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

/// A reporter over a signed-in client in memory, with clocks that a test moves.
struct ReporterWorld: Sendable {
    let world: ClientWorld
    let reporter: PositionReporter
    let time: TestTime

    /// Records fixes measured now.
    @discardableResult
    func record(_ count: Int = 1) async -> UInt32? {
        var last: UInt32?
        for _ in 0..<count { last = await reporter.record(.bare) }
        return last
    }

    /// The reporter's next notice, except those about the need for fixes.
    func notice() async throws -> ReporterNotice {
        for await notice in reporter.notices {
            if case .wanted = notice { continue }
            return notice
        }
        throw Mailbox<ReporterNotice>.Ended()
    }

    /// Waits until the reporter has the echo of this number.
    func echo(_ seq: UInt32) async {
        while await reporter.instructions.state.echo != seq, !Task.isCancelled { await Task.yield() }
    }

    /// Loses the connection and serves the next, up to its clock exchange.
    func comeBack(from link: MemoryLink) async throws -> MemoryLink {
        link.end(code: 1_006)
        let next = try await world.links.accept()
        try await next.welcome()
        try await next.exchangeClocks()
        return next
    }

    /// Records a fix and answers the first report, so that the next ones request no reply.
    func settleIn(over link: MemoryLink) async throws {
        let seq = await record()
        try await link.report(asks: true, [seq ?? 0], nextReportMs: 5_000)
        guard case .reported = try await notice() else {
            Issue.record("the report was not answered")
            return
        }
    }
}

/// Runs a test with a running reporter whose client is signed in on the given link.
func withReporter(
    promiseID: String? = nil,
    limit: Int = 1_000,
    _ body: (ReporterWorld, MemoryLink) async throws -> Void
) async throws {
    let time = TestTime()
    var settings = ClientSettings.test
    // No test waits for these.
    settings.callTimeout = .seconds(54_321)
    try await withClient(settings, time: time) { world in
        let link = try await world.signedIn()
        let fixes = FixStore(limit: limit, time: time, generator: SeededGenerator(seed: 1))
        let reporter = PositionReporter(client: world.client, fixes: fixes, promiseID: promiseID)
        async let running: Void = reporter.run()
        try await link.welcome()
        try await link.exchangeClocks()
        try await body(ReporterWorld(world: world, reporter: reporter, time: time), link)
        await world.client.close()
        await running
    }
}

extension WireFix {
    /// A fix without clocks.
    static var bare: WireFix {
        WireFix.with {
            $0.latitude = 52.52
            $0.longitude = 13.405
        }
    }
}

extension MemoryLink {
    /// Receives a `syncClock` and answers it.
    @discardableResult
    func exchangeClocks() async throws -> WireSyncClock {
        let frame = try await receive()
        guard case .syncClock(let request)? = frame.request else { throw Unexpected(frame: frame) }
        try reply(to: frame, .clock(WireClock()))
        return request
    }

    /// Receives a report.
    func report() async throws -> (frame: WireClientFrame, seqs: [UInt32]) {
        let frame = try await receive()
        guard case .report(let report)? = frame.request else { throw Unexpected(frame: frame) }
        return (frame, report.fixes.map(\.seq))
    }

    /// Receives a report of exactly these fixes, and accepts all if it requests a reply.
    func report(
        asks: Bool,
        _ seqs: [UInt32],
        nextReportMs: UInt32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (frame, found) = try await report()
        #expect(found == seqs, sourceLocation: sourceLocation)
        #expect((frame.id != 0) == asks, sourceLocation: sourceLocation)
        if frame.id != 0 { try answer(frame, taken: found, nextReportMs: nextReportMs) }
    }

    func answer(
        _ frame: WireClientFrame,
        taken: [UInt32],
        rejected: [UInt32] = [],
        nextReportMs: UInt32
    ) throws {
        var reply = WireReported()
        reply.taken = taken
        reply.rejected = rejected.map { seq in
            return WireRejectedFix.with {
                $0.seq = seq
                $0.code = ErrorCode.positionInvalid.rawValue
            }
        }
        reply.nextReportMs = nextReportMs
        try self.reply(to: frame, .reported(reply))
    }

    /// Shares the user's position.
    func positions(of userID: String = "ann", seq: UInt32, nextReportMs: UInt32) throws {
        var event = WireEvent()
        event.promiseID = "p"
        let position = WirePosition.with {
            $0.userID = userID
            $0.seq = seq
        }
        event.positions.positions = [position]
        event.positions.nextReportMs = nextReportMs
        try send(WireServerFrame(event: event))
    }

    func pace(_ nextReportMs: UInt32) throws {
        let event = WireEvent.with {
            $0.promiseID = "p"
            $0.pace.nextReportMs = nextReportMs
        }
        try send(WireServerFrame(event: event))
    }
}
