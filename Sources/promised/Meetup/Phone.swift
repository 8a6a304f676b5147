import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedWire

/// One participant's phone: signs up, subscribes, and reports as planned, also across lost connections.
actor Phone {
    /// Reports sent less than this before a loss of connection are sent again afterwards; real time.
    static let resent = Duration.seconds(10)

    let person: MeetupPlan.Person
    let client: PromisedClient
    private(set) var userID = ""
    private var clock: MeetupClock
    private var promiseID: String?
    /// The sent planned reports, with the real time of sending.
    private var sent: [(index: Int, at: ContinuousClock.Instant)] = []
    /// The last connection on which the phone is ready: it knows the clock and is subscribed.
    private var readyOn = 0
    private var readyWaiters: [CheckedContinuation<Void, Never>] = []
    /// `true` once the client has ended, so that the phone will not be ready again.
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

    /// Creates the account, repeating temporarily refused requests; the address uses a domain that never exists.
    func signUp(password: String, tag: String, patience: ServerPatience) async throws {
        let email = "\(tag)@replay.invalid"
        do {
            userID = try await patience.repeating {
                try await signUp(email: email, password: password, nickname: person.nickname)
            }
        } catch let error as ClientError where error.code == .userNicknameTaken {
            // An earlier replay through the same server has taken the nickname.
            let other = String(person.nickname.prefix(13)) + "_" + tag.suffix(6)
            userID = try await patience.repeating {
                try await signUp(email: email, password: password, nickname: other)
            }
        }
        _ = try await patience.repeating { try await client.hello() }
    }

    private func signUp(email: String, password: String, nickname: String) async throws -> String {
        try await client.signUp(email: email, password: password, nickname: nickname).user.userID
    }

    func subscribe(to promiseID: String) async throws {
        self.promiseID = promiseID
        _ = try await client.subscribe(promiseID: promiseID)
    }

    /// Handles the server's events until the client ends; resubscribes after each loss.
    func listen() async {
        for await notice in client.notices {
            switch notice {
            case .connected: await comeBack()
            // The meetup is over and the phone has been switched off.
            case .disconnected(code: 1_000, willReconnect: false): break
            case .disconnected(let code, let willReconnect):
                onNotice("\(person.nickname) lost the connection (\(code))\(willReconnect ? ", reconnecting" : "")")
            case .attemptFailed(let reason): onNotice("\(person.nickname) cannot connect: \(reason)")
            case .event(let event): onEvent(event)
            case .error(let error): onNotice("\(person.nickname) was refused: \(error.code)")
            }
        }
        isOver = true
        resumeWaiters()
    }

    /// Reports as planned. Reports due while the connection is down are sent in order after it is back. Reports due
    /// while the server still processes the last one are sent together, so that a slow server is not flooded.
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

    /// Reads the clock of a server that may have been restarted, subscribes, and repeats reports that may be lost. New
    /// reports wait for that, because they would otherwise be dated by another clock.
    private func comeBack() async {
        let connection = await client.connectionCount
        if let promiseID {
            do throws(ClientError) {
                if case .remote = clock { clock = .remote(try await client.estimateServerClock()) }
                _ = try await client.subscribe(promiseID: promiseID)
            } catch .disconnected {
                return
            } catch {
                // Connected, but the server refuses the phone permanently.
                onNotice("\(person.nickname) could not reconnect: \(error)")
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
            // One retry after a wait; if the connection is lost, the next one repeats the reports.
            if !(await send(part, to: promiseID, on: connection)) {
                _ = await send(part, to: promiseID, on: connection)
            }
        }
    }

    /// Sends fixes, with clock readings from just before the write, and waits for the reply. Returns `true` if they are
    /// accepted or finally refused; otherwise they are sent once more.
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
            // Transient, for example while a restarted server reads its promises.
            try? await Task.sleep(for: .milliseconds(reply.retryAfterMs), clock: .continuous)
            return false
        } catch {
            onNotice("\(person.nickname) could not report: \(error)")
        }
        return true
    }
}
