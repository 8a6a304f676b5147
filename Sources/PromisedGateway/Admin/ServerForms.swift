internal import PromisedAccess
internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedJournal
internal import PromisedProtocol
internal import PromisedWire

/// The administrators' forms for the server itself: live sessions, statistics, backups, tokens and the audit log.
struct ServerForms: Sendable {
    /// The largest number of violations in a reply.
    static let breachLimit = 500

    let totals: ServerTotals
    let registry: SessionRegistry
    let connections: Connections
    let traffic: TrafficMeter
    let process: any HostProcess
    let startedAt: ContinuousClock.Instant
    let backups: Backups
    let tokens: AdminTokens
    let audit: Audit
    let access: AdminAccess

    // MARK: - Sessions

    func listSessions(_ request: WireAdminListSessions) async throws -> AdminAnswer {
        let asked = try PageRequest(request) { PromiseCursor($0) }
        // Ascending by meeting time, then by id. Only the page's sessions are queried for details.
        let rest = await registry.meetings().filter { meeting in
            asked.cursor.map { (meeting.meetsAt, meeting.session.id) > ($0.meetsAt, $0.promiseID) } ?? true
        }
        .sorted { ($0.meetsAt, $0.session.id) < ($1.meetsAt, $1.session.id) }
        var reply = WireAdminSessions()
        for meeting in rest.prefix(asked.limit) {
            reply.sessions.append(WireAdminSession(await meeting.session.summary()))
        }
        if rest.count > asked.limit {
            let last = rest[asked.limit - 1]
            reply.cursor = PromiseCursor(meetsAt: last.meetsAt, promiseID: last.session.id).description
        }
        return .reply(.sessions(reply))
    }

    /// Answers `showSession`; does not activate a session.
    func showSession(_ request: WireAdminShowSession) async throws -> AdminAnswer {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        guard let session = await registry.liveSession(of: id) else {
            throw RequestError(.promiseNotFound, message: "The promise has no session in memory.", field: "promiseId")
        }
        return .reply(.session(WireAdminSession(await session.summary())))
    }

    // MARK: - Numbers

    func stats(at now: Instant) async throws -> AdminAnswer {
        let totals = try await totals.read(at: now)
        var reply = WireAdminStats(totals)
        reply.connections = UInt32(clamping: connections.count)
        let (recent, seconds) = traffic.recent()
        reply.reportsPerSecond = Double(recent.reports) / seconds
        reply.deliveriesPerSecond = Double(recent.deliveries) / seconds
        reply.requestsPerSecond = Double(recent.requests) / seconds
        reply.uptimeMs = startedAt.millisecondsUntilNow
        reply.version = process.version
        reply.memoryBytes = Double(process.residentBytes)
        if let job = backups.job { reply.job = WireAdminJob(job) }
        return .reply(.stats(reply))
    }

    // MARK: - The database

    func backUp(_ request: WireAdminBackUp, from caller: AdminCaller) async throws -> AdminAnswer {
        let (begun, startedAt) = (ContinuousClock.now, RealTime.now)
        let (path, bytes) = try await backups.backUp(to: request.path) { caller.audit("backUp", detail: $0) }
        var reply = WireAdminBackup()
        reply.path = path
        reply.startedAt = WireTimestamp(startedAt)
        reply.bytes = Double(bytes)
        reply.tookMs = begun.millisecondsUntilNow
        return .reply(.backup(reply))
    }

    func verify() async throws -> AdminAnswer {
        let begun = ContinuousClock.now
        let (violations, erasings) = try await backups.verify()
        var reply = WireAdminVerification()
        reply.breaches = violations.prefix(Self.breachLimit).map { violation in
            var breach = WireAdminBreach()
            breach.check = violation.check
            breach.detail = violation.detail.bounded(characters: 40)
            return breach
        }
        reply.tookMs = begun.millisecondsUntilNow
        reply.erasing = erasings.map { WireAdminErasing($0) }
        return .reply(.verification(reply))
    }

    func listAudit(_ request: WireAdminListAudit) async throws -> AdminAnswer {
        let asked = try PageRequest(request) { AuditCursor($0) }
        let since = request.hasSince ? try Instant(wire: request.since, field: "since") : nil
        let page = try await audit.list(since: since, after: asked.cursor, limit: asked.limit)
        var reply = WireAdminAudit()
        reply.entries = page.items.map { WireAdminAuditEntry($0) }
        reply.cursor = page.next?.description ?? ""
        return .reply(.audit(reply))
    }

    // MARK: - Tokens

    /// Answers `createToken`; the secret is shown only once.
    func createToken(_ request: WireAdminCreateToken, from caller: AdminCaller) async throws -> AdminAnswer {
        let order = try AdminTokenOrder(name: request.name, validMs: request.hasValidMs ? request.validMs : nil)
        let (secret, token) = try await tokens.create(order, by: caller.administrator.name, at: caller.now)
        var reply = WireAdminNewToken()
        reply.secret = secret.text
        reply.token = WireAdminToken(token)
        return .reply(.newToken(reply))
    }

    func listTokens() async throws -> AdminAnswer {
        var reply = WireAdminTokens()
        reply.tokens = try await tokens.list().map { WireAdminToken($0) }
        return .reply(.tokens(reply))
    }

    /// Answers `revokeToken`, also for a revoked token. Closes its connections, including the requesting one.
    func revokeToken(
        _ request: WireAdminRevokeToken,
        from caller: AdminCaller,
        on connection: Connection
    ) async throws -> AdminAnswer {
        let id = try AdminTokenID(wire: request.tokenID, field: "tokenId")
        guard try await tokens.revoke(id, by: caller.administrator.name, at: caller.now) != nil else {
            throw RequestError(.requestInvalid, message: "This token does not exist.", field: "tokenId")
        }
        guard caller.administrator.tokenID == id else {
            access.closeConnections(of: id)
            return .done
        }
        // Replies first, because a closed connection receives nothing.
        access.send(.done(WireAdminDone()), to: connection.id, id: caller.requestID)
        access.closeConnections(of: id)
        return .sent
    }
}

extension ContinuousClock.Instant {
    /// The time since this instant, in milliseconds.
    fileprivate var millisecondsUntilNow: Double { (ContinuousClock.now - self) / .milliseconds(1) }
}

extension WireAdminStats {
    fileprivate init(_ totals: ServerTotals.Reading) {
        self.init()
        users = UInt32(clamping: totals.users)
        promises = PromiseStatus.allCases.map { status in
            var count = WireAdminStatusCount()
            count.status = WirePromiseStatus.Value(status)
            count.count = UInt32(clamping: totals.promises[status] ?? 0)
            return count
        }
        liveSessions = UInt32(clamping: totals.liveSessions)
        if let times = totals.commitTimes {
            commitMedianMs = times.median / .milliseconds(1)
            commitP99Ms = times.p99 / .milliseconds(1)
        }
        files = UInt32(clamping: totals.files.fileCount)
        fileBytes = Double(totals.files.fileBytes)
        recordings = UInt32(clamping: totals.files.openRecordings)
        courses = UInt32(clamping: totals.files.courseCount)
        exports = UInt32(clamping: totals.files.exports)
        databaseBytes = Double(totals.databaseBytes)
    }
}

extension WireAdminSession {
    /// A session in its wire form.
    init(_ summary: SessionSummary) {
        self.init()
        promiseID = summary.promise.id.wireText
        title = summary.promise.title.bounded(characters: 60)
        meetsAt = WireTimestamp(summary.promise.meetsAt)
        status = WirePromiseStatus.Value(summary.status)
        accepted = UInt32(clamping: summary.acceptedCount)
        subscribers = UInt32(clamping: summary.subscriberCount)
        fixes = UInt32(clamping: summary.fixCount)
        seq = UInt32(clamping: summary.lastSeq)
        arrivals = UInt32(clamping: summary.arrivalCount)
    }
}

extension WireAdminAuditEntry {
    /// An entry in its wire form.
    init(_ entry: AuditEntry) {
        self.init()
        at = WireTimestamp(entry.at)
        actor = entry.actor
        action = entry.action
        subject = entry.subject
        // A path can be as long as a request.
        detail = entry.detail.bounded(characters: 200)
    }
}

extension WireAdminToken {
    /// A token in its wire form, without the secret.
    init(_ token: AdminToken) {
        self.init()
        tokenID = token.id.wireText
        name = token.name
        createdAt = WireTimestamp(token.createdAt)
        if let expiresAt = token.expiresAt { self.expiresAt = WireTimestamp(expiresAt) }
        if let revokedAt = token.revokedAt { self.revokedAt = WireTimestamp(revokedAt) }
        if let lastUsedAt = token.lastUsedAt { self.lastUsedAt = WireTimestamp(lastUsedAt) }
    }
}

extension WireAdminErasing {
    fileprivate init(_ report: ErasingReport) {
        self.init()
        switch report.erasing {
        case .account(let userID): (kind, id) = ("account", userID.wireText)
        case .folder(let folderID): (kind, id) = ("folder", folderID.wireText)
        }
        deletedAt = WireTimestamp(report.deletedAt)
        left = UInt32(clamping: report.left)
    }
}

extension WireAdminJob {
    fileprivate init(_ job: DatabaseJob) {
        self.init()
        form = job.kind.rawValue
        startedAt = WireTimestamp(job.startedAt)
        progress = job.progress
    }
}
