internal import PromisedProtocol

extension PositionReporter {
    // MARK: - Clocks

    /// Introduces the device if the connection does not know it yet, and exchanges clocks.
    func exchangeClocks(on connection: Int) async {
        let time = time
        do throws(ClientError) {
            try await client.introduce(on: connection)
            _ = try await client.ask(on: connection) { .syncClock(WireSyncClock(of: time)) }
            machine.exchanged(on: connection, at: time.uptime)
        } catch {
            // Retried later; if the connection is lost, the next one begins with it.
            machine.notExchanged(on: connection, at: time.uptime)
        }
    }

    // MARK: - Reports

    /// Sends new fixes without requesting a reply.
    func reportQuietly(on connection: Int) async {
        let limit = ReporterMachine.batchLimit
        guard fixes.queue.count(above: machine.sentThrough) <= limit else { return await reportAndAsk(on: connection) }
        let batch = fixes.queue.newest(limit, above: machine.sentThrough)
        let (time, now) = (time, time.uptime)
        guard let newest = batch.first?.seq else { return markSent(at: now) }
        let report = report(batch)
        guard await client.post(on: connection, { .report(report.stamped(by: time)) }) else { return machine.notSent() }
        machine.sentQuietly(through: newest)
        markSent(at: now)
    }

    /// Sends the newest pending fixes, and removes the settled ones from the queue.
    func reportAndAsk(on connection: Int) async {
        let batch = fixes.queue.newest(ReporterMachine.batchLimit)
        guard let newest = batch.first?.seq else { return }
        let report = report(batch)
        let (time, now) = (time, time.uptime)
        do throws(ClientError) {
            let reply = try await client.ask(on: connection) { .report(report.stamped(by: time)) }
            guard case .reported(let reported) = reply else { throw .unexpectedReply }
            markSent(at: now)
            take(reported, through: newest)
        } catch {
            notReported(batch, error)
        }
    }

    private func report(_ batch: [WireFix]) -> WireReport {
        var report = WireReport()
        if let promiseID { report.promiseID = promiseID }
        report.fixes = batch
        return report
    }

    private func markSent(at now: Duration) { instructions.update { $0.sent(at: now) } }

    private func take(_ reported: WireReported, through newest: UInt32) {
        let settled = settle(Set(reported.taken).union(reported.rejected.map(\.seq)))
        let remaining = fixes.count - fixes.queue.count(above: newest)
        let now = time.uptime
        machine.answered(through: newest, settled: settled, remaining: remaining, at: now)
        let promiseID = promiseID
        instructions.update { $0.reported(promiseID, nextReportMs: reported.nextReportMs, at: now) }
        tell(.reported(reported))
    }

    private func settle(_ seqs: Set<UInt32>) -> Int {
        let (count, failure) = fixes.settle(seqs)
        if let failure { tell(.storageFailed(failure)) }
        return count
    }

    // MARK: - Failures

    private func notReported(_ batch: [WireFix], _ error: ClientError) {
        switch error {
        case .refused(let reply): refused(batch, reply)
        case .unencodable:
            // A fix recorded by the app cannot cause this; if one does, it must not block the rest.
            _ = settle(Set(batch.map(\.seq)))
        case .timedOut, .unexpectedReply: machine.postpone(by: ReporterMachine.patience, at: time.uptime)
        case .disconnected, .cancelled, .closed, .readTooSlowly, .corrupted: machine.waitForNextConnection()
        }
    }

    private func refused(_ batch: [WireFix], _ error: WireErrorReply) {
        let givenUp: Int
        switch ReportRefusal(error) {
        case .retry(let wait):
            machine.postpone(by: wait, at: time.uptime)
            givenUp = 0
        case .rejoin:
            machine.waitForNextConnection()
            givenUp = 0
        case .dropAll:
            givenUp = settle(Set(fixes.queue.fixes.map(\.seq)))
            stop()
        case .dropFix(let place) where batch.indices.contains(place): givenUp = settle([batch[place].seq])
        case .dropFix, .skipReport:
            givenUp = settle(Set(batch.map(\.seq)))
            markSent(at: time.uptime)
        }
        tell(.refused(error, givenUp: givenUp))
    }

    private func stop() {
        let now = time.uptime
        let promiseID = promiseID
        instructions.update { $0.stop(promiseID, at: now) }
    }
}

extension WireReport {
    /// The report with current clock readings.
    func stamped(by time: any ClientTime) -> WireReport {
        var report = self
        report.uptimeMs = time.uptime.inMilliseconds
        if let now = WireTimestamp(readingMs: time.wallMs) { report.sentAt = now }
        return report
    }
}

extension WireSyncClock {
    /// A request with current clock readings.
    init(of time: any ClientTime) {
        self.init()
        uptimeMs = time.uptime.inMilliseconds
        clientTimeMs = time.wallMs
    }
}
