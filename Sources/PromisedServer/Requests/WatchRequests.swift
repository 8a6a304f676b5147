internal import PromisedAccess
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

/// Watching a promise by a link, without an account.
struct WatchRequests: Sendable {
    let replies: PromiseReplies
    let attempts: CodeAttempts
    let sender: Sender
    let clock: any WallClock

    /// Answers `watchByLink`. The reply is sent from inside the session, so that no event overtakes it. Every reason for
    /// which a code is no good is the same error after the same look-up.
    ///
    /// - Throws: `auth.forbidden` (signed in already), `code.invalid`, `limit.attempts`, `limit.viewers`.
    func watch(
        _ request: WireWatchByLink,
        _ connection: Connection,
        id: UInt32,
        at now: Instant
    ) async throws(RequestError) -> WireContent? {
        guard connection.identity == nil else {
            throw RequestError(.authForbidden, message: "The connection is signed in already.")
        }
        let hash = SecretCode(sent: request.code).hash
        let promiseID = try await attempts.trying(by: connection.address) { () async throws(RequestError) in
            let promiseID = try await promise(watchedBy: hash, at: now)
            try await watch(promiseID, by: hash, connection, id: id)
            return promiseID
        }
        // A connection that ended meanwhile was forgotten before it watched.
        let isGone = connection.state.withLock { state in
            state.watched = promiseID
            return state.isClosed
        }
        if isGone { await forget(connection) }
        return nil
    }

    /// The connection has ended: it watches no longer.
    func forget(_ connection: Connection) async {
        let watched = connection.state.withLock { state in
            defer { state.watched = nil }
            return state.watched
        }
        guard let watched, let session = await replies.registry.liveSession(of: watched) else { return }
        await session.unwatch(connection.subscriberID)
    }

    private func promise(watchedBy hash: [UInt8], at now: Instant) async throws(RequestError) -> PromiseID {
        let id = try await RequestError.stored { () async throws(StoreError) in
            try await replies.store.promise(watchedBy: hash, at: now)
        }
        guard let id else { throw RequestError(.codeInvalid) }
        return id
    }

    private func watch(
        _ promiseID: PromiseID,
        by hash: [UInt8],
        _ connection: Connection,
        id: UInt32
    ) async throws(RequestError) {
        let subscriber = connection.subscriberID
        try await replies.registry.requested(promiseID) { session throws(EngineError) in
            try await session.watch(subscriber, by: hash) { link in
                sender.admit(connection)
                guard id != 0 else { return }
                let view = WireLinkView(link.view, endsAt: link.endsAt, at: clock.now, card: replies.cards.card)
                sender.send(WireServerFrame(id: id, content: .linkView(view)), to: connection)
            }
        }
    }
}
