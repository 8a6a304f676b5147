internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// The promises that are held in memory.
struct LiveAdministration: Sendable {
    let registry: SessionRegistry

    /// Answers `listSessions`.
    func list(_ request: WireAdminListSessions) async throws(RequestError) -> AdminReply {
        let cursor = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { PromiseCursor($0) }
        let limit = try PageRequest.limit(request.hasLimit ? request.limit : nil)
        let rest = await summaries().filter { summary in
            cursor.map { (summary.promise.meetsAt, summary.promise.id) > ($0.meetsAt, $0.promiseID) } ?? true
        }
        var reply = WireAdminSessions()
        reply.sessions = rest.prefix(limit).map { WireAdminSession($0) }
        if rest.count > limit {
            let last = rest[limit - 1].promise
            reply.cursor = PromiseCursor(meetsAt: last.meetsAt, promiseID: last.id).description
        }
        return .sessions(reply)
    }

    /// Answers `showSession`; does not bring one to life.
    func show(_ request: WireAdminShowSession) async throws(RequestError) -> AdminReply {
        let id = try RequestError.promiseID(request.promiseID)
        guard let session = await registry.liveSession(of: id) else {
            throw RequestError(.promiseNotFound, message: "The promise is not held in memory.", field: "promiseId")
        }
        return .session(WireAdminSession(await session.summary()))
    }

    /// Ascending by meeting time, then by id.
    private func summaries() async -> [SessionSummary] {
        var summaries: [SessionSummary] = []
        for session in await registry.everySession { summaries.append(await session.summary()) }
        return summaries.sorted {
            ($0.promise.meetsAt, $0.promise.id) < ($1.promise.meetsAt, $1.promise.id)
        }
    }
}

extension WireAdminSession {
    /// A session as it is shown.
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
