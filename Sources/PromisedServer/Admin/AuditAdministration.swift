internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// Who did what as administrator.
struct AuditAdministration: Sendable {
    let store: Store

    /// Answers `listAudit`.
    func list(_ request: WireAdminListAudit) async throws(RequestError) -> AdminReply {
        let cursor = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { AuditCursor($0) }
        let limit = try PageRequest.limit(request.hasLimit ? request.limit : nil)
        let since = request.hasSince ? try instant(request.since) : nil
        let page = try await RequestError.stored { () async throws(StoreError) in
            try await store.audit(since: since, after: cursor, limit: limit)
        }
        var reply = WireAdminAudit()
        reply.entries = page.items.map { WireAdminAuditEntry($0) }
        reply.cursor = page.next?.description ?? ""
        return .audit(reply)
    }

    private func instant(_ timestamp: WireTimestamp) throws(RequestError) -> Instant {
        try RequestError.wrap { () throws(WireError) in try Instant(wire: timestamp, field: "since") }
    }
}

extension WireAdminAuditEntry {
    /// An entry as it is shown.
    init(_ entry: AuditEntry) {
        self.init()
        at = WireTimestamp(entry.at)
        actor = entry.actor
        action = entry.action
        subject = entry.subject
        // A path may be as long as a request.
        detail = entry.detail.bounded(characters: 200)
    }
}
