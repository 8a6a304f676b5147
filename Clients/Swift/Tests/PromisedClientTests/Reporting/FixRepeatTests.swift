import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct FixRepeatTests {
    @Test func `sends fixes measured offline newest first, in reports of 200`() async throws {
        try await withReporter { world, link in
            try await world.settleIn(over: link)
            link.end(code: 1_006)
            #expect(try await world.world.notice() == .connected)
            #expect(try await world.world.notice() == .disconnected(code: 1_006, willReconnect: true))
            let next = try await world.world.links.accept()
            await world.record(450)
            try await next.welcome()
            try await next.exchangeClocks()
            try await next.report(asks: true, (252...451).reversed(), nextReportMs: 5_000)
            try await next.report(asks: true, (52...251).reversed(), nextReportMs: 5_000)
            try await next.report(asks: true, (2...51).reversed(), nextReportMs: 5_000)
            for _ in 1...3 { _ = try await world.notice() }
            #expect(await world.reporter.waitingCount == 0)
            await world.record()
            await world.time.pass(.seconds(5))
            try await next.report(asks: false, [452])
        }
    }

    @Test func `repeats reports lost with their connection on the next`() async throws {
        try await withReporter { world, link in
            try await world.settleIn(over: link)
            await world.record()
            await world.time.pass(.seconds(5))
            try await link.report(asks: false, [2])
            var next = try await world.comeBack(from: link)
            let (_, seqs) = try await next.report()
            #expect(seqs == [2])
            next = try await world.comeBack(from: next)
            try await next.report(asks: true, [2], nextReportMs: 5_000)
            _ = try await world.notice()
            #expect(await world.reporter.waitingCount == 0)
        }
    }

    @Test func `removes a fix only when the reply names it as accepted or rejected`() async throws {
        try await withReporter { world, link in
            try await world.settleIn(over: link)
            await world.record(4)
            await world.time.pass(.seconds(5))
            try await link.report(asks: false, [5, 4, 3, 2])
            await world.record()
            await world.time.pass(.seconds(5))
            let (frame, _) = try await link.report()
            try link.answer(frame, taken: [2, 6, 1], rejected: [4], nextReportMs: 5_000)
            let (again, seqs) = try await link.report()
            #expect(seqs == [5, 3])
            // If the reply names none of them, the client retries later.
            try link.answer(again, taken: [], nextReportMs: 60_000)
            await world.time.pass(.seconds(5))
            try await link.report(asks: true, [5, 3])
        }
    }

    @Test func `drops and reports the oldest fixes if too many wait`() async throws {
        try await withReporter(limit: 3) { world, link in
            try await world.settleIn(over: link)
            await world.record(5)
            #expect(try await world.notice() == .overflowed(1))
            #expect(try await world.notice() == .overflowed(1))
            await world.time.pass(.seconds(5))
            try await link.report(asks: false, [6, 5, 4])
        }
    }

    // MARK: - Refusals

    @Test(arguments: [ErrorCode.limitRate, .serverUnavailable, .serverInternal])
    func `keeps everything after a temporary refusal and retries at the server's time`(_ code: ErrorCode) async throws {
        try await withReporter { world, link in
            await world.record(2)
            let (frame, _) = try await link.report()
            let error = WireErrorReply(code, retryAfterMs: 11_000)
            try link.refuse(frame, error)
            #expect(try await world.notice() == .refused(error, givenUp: 0))
            await world.time.pass(.seconds(11))
            let (_, seqs) = try await link.report()
            #expect(seqs == [2, 1])
        }
    }

    // proves: 5.22
    @Test func `reports an hour measured offline as fast as the server allows`() async throws {
        try await withReporter { world, link in
            let next = try await offline(world, from: link, recording: 720)
            try await next.report(asks: true, (521...720).reversed(), nextReportMs: 5_000)
            try await next.report(asks: true, (321...520).reversed(), nextReportMs: 5_000)
            for _ in 1...2 { _ = try await world.notice() }
            // Another fix is recorded meanwhile, and is sent with the others: newest first.
            for (newest, oldest, wait) in [(720, 121, 10_000), (721, 122, 9_950)] as [(UInt32, UInt32, UInt32)] {
                let (frame, seqs) = try await next.report()
                #expect(seqs.count == 200 && seqs.last == oldest)
                #expect(seqs.first == (newest == 720 ? 320 : 721))
                let error = WireErrorReply(.limitRate, retryAfterMs: wait)
                try next.refuse(frame, error)
                #expect(try await world.notice() == .refused(error, givenUp: 0))
                if newest == 720 { await world.record() }
                await world.time.pass(.milliseconds(Int64(wait)))
            }
            try await next.report(asks: true, [721] + (122...320).reversed(), nextReportMs: 5_000)
            try await next.report(asks: true, (1...121).reversed(), nextReportMs: 5_000)
            for _ in 1...2 { _ = try await world.notice() }
            #expect(await world.reporter.waitingCount == 0)
        }
    }

    @Test(
        arguments: [
            ErrorCode.positionOutsideWindow, .positionSharingOff, .positionNotAccepted, .promiseNotFound,
            .promiseNotAccepted, .promiseClosed,
        ]
    )
    func `drops all fixes while reporting is not allowed`(_ code: ErrorCode) async throws {
        try await withReporter(limit: 500) { world, link in
            let next = try await offline(world, from: link, recording: 300)
            let (frame, seqs) = try await next.report()
            #expect(seqs.count == 200)
            try next.refuse(frame, WireErrorReply(code))
            #expect(try await world.notice() == .refused(WireErrorReply(code), givenUp: 300))
            #expect(await world.reporter.waitingCount == 0)
            #expect(await world.record() == nil)
        }
    }

    /// Records fixes between two connections.
    private func offline(
        _ world: ReporterWorld,
        from link: MemoryLink,
        recording count: Int
    ) async throws -> MemoryLink {
        link.end(code: 1_006)
        let next = try await world.world.links.accept()
        await world.record(count)
        try await next.welcome()
        try await next.exchangeClocks()
        return next
    }

    @Test func `drops one invalid fix and sends the others`() async throws {
        try await withReporter { world, link in
            let next = try await offline(world, from: link, recording: 3)
            let (frame, seqs) = try await next.report()
            #expect(seqs == [3, 2, 1])
            try next.refuse(frame, WireErrorReply(.requestInvalid, field: "fixes[1].latitude"))
            try await next.report(asks: true, [3, 1])
        }
    }

    @Test(arguments: ["", "uptimeMs", "fixes[9].seq", "fixes[].seq"])
    func `drops a report rejected for another reason and sends the next`(_ field: String) async throws {
        try await withReporter { world, link in
            let next = try await offline(world, from: link, recording: 2)
            let (frame, _) = try await next.report()
            try next.refuse(frame, WireErrorReply(.requestInvalid, field: field))
            guard case .refused(_, givenUp: 2) = try await world.notice() else {
                Issue.record("not given up")
                return
            }
            await world.record()
            let (_, seqs) = try await next.report()
            #expect(seqs == [3])
        }
    }

    @Test func `a reporter with the wrong sign-in reports on the next connection`() async throws {
        try await withReporter { world, link in
            await world.record()
            let (frame, _) = try await link.report()
            try link.refuse(frame, WireErrorReply(.authRequired))
            #expect(try await world.notice() == .refused(WireErrorReply(.authRequired), givenUp: 0))
            let next = try await world.comeBack(from: link)
            let (_, seqs) = try await next.report()
            #expect(seqs == [1])
        }
    }
}
