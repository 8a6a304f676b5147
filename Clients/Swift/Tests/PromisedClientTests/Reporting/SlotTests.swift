import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct SlotTests {
    @Test func `sends a report in each slot, and requests a reply every sixth time`() async throws {
        try await withReporter { world, link in
            try await world.settleIn(over: link)
            var seq: UInt32 = 1
            for _ in 1...3 {
                for _ in 1...5 {
                    seq += 1
                    await world.record()
                    await world.time.pass(.seconds(seq == 2 || (seq - 2).isMultiple(of: 6) ? 5 : 4))
                    try await link.report(asks: false, [seq])
                    try link.positions(seq: seq, nextReportMs: 4_000)
                }
                seq += 1
                await world.record()
                await world.time.pass(.seconds(4))
                try await link.report(asks: true, (0..<6).map { seq - $0 }, nextReportMs: 5_000)
                _ = try await world.notice()
                #expect(await world.reporter.waitingCount == 0)
            }
        }
    }

    @Test func `sends the fixes of one slot together, newest first`() async throws {
        try await withReporter { world, link in
            try await world.settleIn(over: link)
            await world.record(5)
            await world.time.pass(.seconds(5))
            try await link.report(asks: false, [6, 5, 4, 3, 2])
        }
    }

    @Test(arguments: [("bea", 2), ("ann", 1)] as [(String, UInt32)])
    func `without the echo of the newest fix the next report requests a reply`(
        _ userID: String,
        _ seq: UInt32
    ) async throws {
        try await withReporter { world, link in
            try await world.settleIn(over: link)
            await world.record()
            await world.time.pass(.seconds(5))
            try await link.report(asks: false, [2])
            try link.positions(of: userID, seq: seq, nextReportMs: 4_000)
            await world.record()
            await world.time.pass(.seconds(4))
            try await link.report(asks: true, [3, 2])
        }
    }

    @Test func `a report has the clocks at sending and its promise`() async throws {
        try await withReporter(promiseID: "p") { world, link in
            await world.record()
            let report = try await link.receive().report
            #expect(report.promiseID == "p")
            #expect(report.uptimeMs == 1_000_000)
            #expect(report.sentAt.readingMs == world.time.wallMs)
            #expect(report.fixes.first?.uptimeMs == 1_000_000)
            #expect(report.fixes.first?.recordedAt.readingMs == world.time.wallMs)
        }
    }

    @Test func `a fix older than its recording is marked, and keeps its clocks`() async throws {
        try await withReporter { world, link in
            await world.reporter.record(.bare, age: .seconds(3))
            let fix = try #require(try await link.receive().report.fixes.first)
            #expect(fix.uptimeMs == 997_000)
            #expect(fix.recordedAt.readingMs == world.time.wallMs - 3_000)
        }
        try await withReporter { world, link in
            await world.reporter.record(.sample)
            let fix = try #require(try await link.receive().report.fixes.first)
            #expect(fix.uptimeMs == WireFix.sample.uptimeMs)
            #expect(fix.recordedAt == WireFix.sample.recordedAt)
        }
    }

    // MARK: - Pace and stop

    @Test func `a pace overrides the slot until the next one`() async throws {
        try await withReporter { world, link in
            try await world.settleIn(over: link)
            try link.pace(60_000)
            try link.positions(seq: 1, nextReportMs: 2_000)
            for seq in [2, 3] as [UInt32] {
                await world.record()
                await world.time.pass(.seconds(60))
                try await link.report(asks: false, [seq])
                try link.positions(seq: seq, nextReportMs: 2_000)
                await world.echo(seq)
            }
            try link.pace(7_000)
            await world.record()
            await world.time.pass(.seconds(7))
            try await link.report(asks: false, [4])
        }
    }

    @Test func `a stopped reporter settles waiting fixes and accepts no others until started`() async throws {
        try await withReporter { world, link in
            try await world.settleIn(over: link)
            await world.record()
            await world.time.pass(.seconds(5))
            try await link.report(asks: false, [2])
            try link.pace(0)
            try await link.report(asks: true, [2])
            _ = try await world.notice()
            #expect(await world.record() == nil)
            try link.pace(5_000)
            await world.time.sleeper(for: .seconds(295))
            while await world.record() == nil, !Task.isCancelled { await Task.yield() }
            await world.time.pass(.seconds(5))
            let (_, seqs) = try await link.report()
            #expect(seqs == [3])
        }
    }

    @Test func `notifies the app when fixes are needed`() async throws {
        try await withReporter { world, link in
            var notices = world.reporter.notices.makeAsyncIterator()
            #expect(await notices.next() == .wanted(true))
            try link.pace(0)
            #expect(await notices.next() == .wanted(false))
            try link.pace(60_000)
            #expect(await notices.next() == .wanted(true))
            // A window that opens in twenty minutes.
            async let subscribed = world.world.client.subscribe(promiseID: "p")
            try await link.subscribe(seq: 1, nextReportMs: 1_200_000)
            _ = try await subscribed
            #expect(await notices.next() == .wanted(false))
            await world.time.pass(.seconds(300))
            try await link.exchangeClocks()
            await world.time.pass(.seconds(300))
            try await link.exchangeClocks()
            await world.time.pass(.seconds(300))
            try await link.exchangeClocks()
            await world.time.pass(.seconds(210))
            #expect(await notices.next() == .wanted(true))
        }
    }

    @Test func `hiding the position stops the reports, and showing it starts them`() async throws {
        try await withReporter { world, link in
            try await world.settleIn(over: link)
            for on in [false, true] {
                async let done: Void = world.world.client.setSharing(promiseID: "p", on: on)
                let frame = try await link.receive()
                #expect(frame.setSharing.on == on)
                try link.reply(to: frame, .done(WireDone()))
                try await done
            }
            await world.record()
            let (_, seqs) = try await link.report()
            #expect(seqs == [2])
        }
    }
}
