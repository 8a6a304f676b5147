internal import Logging
internal import PromisedAccess
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// The deletion of accounts (domain §2).
///
/// ```
/// begin: nobody signs in any more, sessions and friendships gone ─▶ leave the promises ─▶ tombstone
///        (durable: from here on it is finished, whatever crashes)
/// ```
/// What is left to do after a crash or a fault of the storage is done at the next start, or a minute later.
struct DeletionRequests: Sendable {
    /// How often unfinished deletions are looked for, in real time.
    static let retryEvery = Duration.seconds(60)

    let store: Store
    let accounts: AccountRequests
    let revocation: Revocation
    let broadcaster: Broadcaster
    let sender: Sender
    let cards: CardBook
    let promises: any PromiseParting
    let subjectKey: SubjectKey
    let clock: any WallClock
    let log: Logger
    /// Whose deletion is being worked on, so that nobody works on it twice.
    private let underWay = Guarded<Set<UserID>>([])

    init(
        accounts: AccountRequests,
        broadcaster: Broadcaster,
        cards: CardBook,
        promises: any PromiseParting,
        subjectKey: SubjectKey
    ) {
        self.accounts = accounts
        store = accounts.store
        revocation = accounts.revocation
        sender = accounts.sender
        clock = accounts.clock
        log = accounts.log
        self.broadcaster = broadcaster
        self.cards = cards
        self.promises = promises
        self.subjectKey = subjectKey
    }

    /// Answers `deleteAccount`. The reply is sent from here, since the connection is closed behind it. It says done as
    /// soon as the deletion can't be undone; a part that could not be finished at once is finished later.
    func delete(
        _ request: WireDeleteAccount,
        from caller: Caller,
        id: UInt32
    ) async throws(RequestError) -> WireContent? {
        if accounts.outside == nil {
            try RequestError.checked { () throws(TextProblem) in try PasswordPolicy.checkSize(request.password) }
            try await accounts.requirePassword(request.password, of: caller)
        }
        guard try await erase(caller.userID, at: caller.now, except: caller.connection) else {
            // Another connection was faster; its deletion closes this one.
            throw RequestError(.authTokenInvalid)
        }
        if id != 0 { sender.send(WireServerFrame(id: id, content: .done(WireDone())), to: caller.connection) }
        revocation.close(caller.connection, because: .accountDeleted, telling: false)
        return nil
    }

    /// Deletes an account; a part that could not be finished at once is finished later.
    ///
    /// - Parameters:
    ///   - audit: written with it when an administrator does it.
    ///   - kept: a connection that stays open.
    /// - Returns: whether there was an account whose deletion had not begun.
    func erase(
        _ userID: UserID,
        at now: Instant,
        audit: AuditEntry? = nil,
        except kept: Connection? = nil
    ) async throws(RequestError) -> Bool {
        let friends = try await RequestError.stored { () async throws(StoreError) in
            try await store.beginDeletion(of: userID, at: now, audit: audit)
        }
        guard let friends else { return false }
        revocation.close(connectionsOf: userID, because: .accountDeleted, except: kept)
        tell(friends, lost: userID)
        await finish(userID)
        return true
    }

    /// Finishes what a crash or a fault left over, now and from time to time, until the task is cancelled.
    func run() async {
        repeat { await finishAll() } while (try? await Task.sleep(for: Self.retryEvery, clock: .continuous)) != nil
    }

    // MARK: - Finishing

    private func finishAll() async {
        do throws(StoreError) {
            for userID in try await store.unfinishedDeletions() { await finish(userID) }
        } catch {
            log.error("Unfinished deletions could not be looked for", metadata: ["error": "\(error)"])
        }
    }

    private func finish(_ userID: UserID) async {
        guard underWay.withLock({ $0.insert(userID).inserted }) else { return }
        defer { underWay.withLock { _ = $0.remove(userID) } }
        do throws(StoreError) {
            guard try await leavePromises(of: userID) else { return }
            try await store.makeTombstone(of: userID, at: clock.now, subjectKey: subjectKey.hash)
            if let card = try await store.cards(of: [userID])[userID] { cards.update(card) }
            // A request of theirs that was being answered all the while may have made or joined one more.
            _ = try await leavePromises(of: userID)
        } catch {
            log.error("A deletion waits for the storage", metadata: ["user": "\(userID)", "error": "\(error)"])
        }
    }

    /// Ends all parts of a user in promises that are not over.
    ///
    /// - Returns: false when some could not be ended now and must be tried again.
    private func leavePromises(of userID: UserID) async throws(StoreError) -> Bool {
        var seen: Set<PromiseID> = []
        var isDone = true
        while true {
            let open = try await store.openParts(of: userID, at: clock.now).filter { !seen.contains($0) }
            if open.isEmpty { return isDone }
            for promiseID in open where await !part(from: promiseID, userID) { isDone = false }
            seen.formUnion(open)
        }
    }

    private func part(from promiseID: PromiseID, _ userID: UserID) async -> Bool {
        do throws(RequestError) {
            try await promises.part(from: promiseID, user: userID)
            return true
        } catch {
            let metadata: Logger.Metadata = ["promise": "\(promiseID)", "user": "\(userID)", "code": "\(error.code)"]
            guard error.code != .serverUnavailable else {
                log.error("A deleted user could not leave a promise yet", metadata: metadata)
                return false
            }
            // It was over, or the part had ended, in the meantime.
            log.debug("A deleted user had nothing to leave", metadata: metadata)
            return true
        }
    }

    private func tell(_ friends: [UserID], lost userID: UserID) {
        var event = WireEvent.FriendRemoved()
        event.userID = userID.wireText
        for friend in friends { broadcaster.tell(friend, .friendRemoved(event)) }
    }
}
