import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedWire

/// One participant's phone: signs up, subscribes, and reports as planned whatever happens to the connection.
actor Phone {
    /// How much real time before a lost connection is sent again after it.
    static let resent = Duration.seconds(10)

    let person: MeetupPlan.Person
    let client: PromisedClient
    private(set) var userID = ""
    private var clock: MeetupClock
    private var promiseID: String?
    /// Planned reports sent, with the real time of sending.
    private var sent: [(index: Int, at: ContinuousClock.Instant)] = []
    /// The last connection on which the phone has come back: knows the clock, is subscribed.
    private var readyOn = 0
    private var readyWaiters: [CheckedContinuation<Void, Never>] = []
    /// Whether the client has ended: nobody will make the phone ready any more.
    private var isOver = false
    private let onEvent: @Sendable (WireEvent) -> Void
    private let onNotice: @Sendable (String) -> Void

    init(
        person: MeetupPlan.Person,
        client: PromisedClient,
        clock: MeetupClock,
        onEvent: @escaping @Sendable (WireEvent) -> Void,
        onNotice: @escaping @Sendable (String) -> Void
    ) {
        self.person = person
        self.client = client
        self.clock = clock
        self.onEvent = onEvent
        self.onNotice = onNotice
    }

    /// Makes the account; the address is of a domain that never exists.
    func signUp(password: String, tag: String) async throws {
        let email = "\(tag)@replay.invalid"
        do {
            userID = try await signUp(email: email, password: password, nickname: person.nickname)
        } catch let error as ClientError where error.code == .userNicknameTaken {
            // Somebody of an earlier replay through the same server has it.
            let other = String(person.nickname.prefix(13)) + "_" + tag.suffix(6)
            userID = try await signUp(email: email, password: password, nickname: other)
        }
        _ = try await client.hello()
    }

    private func signUp(email: String, password: String, nickname: String) async throws -> String {
        try await client.signUp(email: email, password: password, nickname: nickname).user.userID
    }

    /// Follows a promise from now on.
    func subscribe(to promiseID: String) async throws {
        self.promiseID = promiseID
        _ = try await client.subscribe(promiseID: promiseID)
    }

    /// Listens to the server until the client ends; comes back to the promise after each loss.
    func listen() async {
        for await notice in client.notices {
            switch notice {
            case .connected: await comeBack()
            // The meetup is over and the phone was switched off.
            case .disconnected(code: 1_000, willReconnect: false): break
            case .disconnected(let code, let willReconnect):
                onNotice("\(person.nickname) lost the connection (\(code))\(willReconnect ? ", coming back" : "")")
            case .attemptFailed(let reason): onNotice("\(person.nickname) cannot connect: \(reason)")
            case .event(let event): onEvent(event)
            case .error(let error): onNotice("\(person.nickname) was refused: \(error.code)")
            }
        }
        isOver = true
        resumeWaiters()
    }

    /// Reports as planned. What is due while the connection is down goes out in order when it is back, and what is due
    /// while the server still has the last report goes out together: one that is slow is not buried in reports.
    func report(patience: Duration) async throws {
        guard let promiseID else { return }
        var next = 0
        while next < person.reports.count {
            try await clock.sleep(until: person.reports[next].at)
            let now = clock.now
            let due = person.reports[next...].prefix(Report.fixLimit).prefix { $0.at <= now }.count
            let batch = next..<next + max(due, 1)
            let fixes = person.reports[batch].map(\.fix)
            while !(await send(fixes, to: promiseID, on: readyOn)) { try await waitForConnection(patience) }
            sent += batch.map { ($0, .now) }
            if sent.count > 4_096 { sent.removeFirst(1_024) }
            next = batch.upperBound
        }
    }

    private func waitForConnection(_ patience: Duration) async throws {
        let end = ContinuousClock.now + patience
        repeat {
            try await waitUntilOnline(end)
            if await client.connectionCount > readyOn { await waitUntilReady() }
        } while await client.connectionCount > readyOn
    }

    private func waitUntilOnline(_ end: ContinuousClock.Instant) async throws {
        while true {
            do {
                return try await client.waitUntilOnline()
            } catch ClientError.timedOut where ContinuousClock.now < end {
                continue
            }
        }
    }

    private func waitUntilReady() async {
        guard !isOver else { return }
        await withCheckedContinuation { readyWaiters.append($0) }
    }

    private func resumeWaiters() {
        let waiters = readyWaiters
        readyWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Learns the clock of a server that may have been restarted, subscribes, and repeats what may have been lost.
    /// Nothing new is reported before that, for it would be dated by another clock.
    private func comeBack() async {
        let connection = await client.connectionCount
        if let promiseID {
            do throws(ClientError) {
                if case .remote = clock { clock = .remote(try await client.estimateServerClock()) }
                _ = try await client.subscribe(promiseID: promiseID)
            } catch .disconnected {
                return
            } catch {
                // The connection is there, but the server has no place for the phone: it is not worth another try.
                onNotice("\(person.nickname) could not come back: \(error)")
                return await client.close()
            }
            await repeatRecent(to: promiseID, on: connection)
        }
        readyOn = connection
        resumeWaiters()
    }

    private func repeatRecent(to promiseID: String, on connection: Int) async {
        let since = ContinuousClock.now - Phone.resent
        let repeats = sent.filter { $0.at >= since }.map { person.reports[$0.index].fix }
        for start in stride(from: 0, to: repeats.count, by: Report.fixLimit) {
            let end = min(start + Report.fixLimit, repeats.count)
            let part = Array(repeats[start..<end])
            // Once more for who had to wait; where the connection is gone the next one repeats them.
            if !(await send(part, to: promiseID, on: connection)) {
                _ = await send(part, to: promiseID, on: connection)
            }
        }
    }

    /// Sends fixes, with the clock as it stands just before the write, and waits for the word on them.
    ///
    /// - Returns: whether that is settled; if not, they go out once more.
    private func send(_ fixes: [Fix], to promiseID: String, on connection: Int) async -> Bool {
        let clock = clock
        do throws(ClientError) {
            _ = try await client.call(on: connection) {
                var report = WireReport()
                report.promiseID = promiseID
                report.fixes = fixes.map { WireFix($0) }
                report.sentAt = WireTimestamp(clock.now)
                return .report(report)
            }
        } catch .disconnected {
            return false
        } catch .refused(let reply) where reply.retryAfterMs > 0 {
            // Not now, such as while a server that was restarted reads its promises.
            try? await Task.sleep(for: .milliseconds(reply.retryAfterMs), clock: .continuous)
            return false
        } catch {
            onNotice("\(person.nickname) could not report: \(error)")
        }
        return true
    }
}
