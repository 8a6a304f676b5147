internal import Logging
package import PromisedAccess
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine
package import PromisedSettings
package import PromisedStore

/// The deletion of accounts (domain §2).
///
/// ```
/// begin: nobody signs in any more,  ─▶ leave the promises ─▶ visits, courses, files, … ─▶ traces in ─▶ tombstone
///        sessions and friends gone                           part by part                 promises
///        (durable: it is finished even after a crash)
/// ```
/// Work left by a crash or a fault of the storage is done at the next start, or a minute later.
package struct AccountDeletions: Sendable {
    /// How often unfinished deletions are retried, in real time.
    private static let retryEvery = Duration.seconds(60)

    private let accounts: Accounts
    private let notifier: any Notifier
    private let cards: UserCardCache
    private let promises: Promises
    private let files: Files
    private let subjectKey: SubjectKey
    /// The accounts whose deletion is in progress, so that each has one worker.
    private let underWay = Guarded<Set<UserID>>([])

    private var store: Store { accounts.store }
    private var log: Logger { accounts.log }

    /// The deletion of these accounts.
    ///
    /// - Parameter subjectKey: hashes the outside issuer's name of an account.
    package init(
        accounts: Accounts,
        notifier: any Notifier,
        cards: UserCardCache,
        promises: Promises,
        files: Files,
        subjectKey: SubjectKey
    ) {
        self.accounts = accounts
        self.notifier = notifier
        self.cards = cards
        self.promises = promises
        self.files = files
        self.subjectKey = subjectKey
    }

    /// Deletes a user's own account, after checking the password.
    ///
    /// - Parameter kept: the requesting connection, which stays open.
    /// - Throws: `invalidCredentials`, `invalidToken` (another connection was faster), `TooManyAttempts`.
    package func delete(
        _ userID: UserID,
        by password: String,
        from address: ThrottleAddress,
        on kept: SubscriberID,
        at now: Instant
    ) async throws {
        try await accounts.confirmDeletion(of: userID, by: password, from: address)
        guard try await erase(userID, at: now, except: kept) else { throw ActError.invalidToken }
    }

    /// Deletes an account; parts that fail now are retried later.
    ///
    /// - Parameters:
    ///   - audit: written with it if an administrator does it.
    ///   - kept: a connection that stays open.
    /// - Returns: `true` if there was an account whose deletion had not begun.
    package func erase(
        _ userID: UserID,
        at now: Instant,
        audit: AuditEntry? = nil,
        except kept: SubscriberID? = nil
    ) async throws -> Bool {
        // From the beginning on, so that nobody else finishes it while the caller waits for all of it.
        let isMine = underWay.withLock { $0.insert(userID).inserted }
        defer { if isMine { underWay.withLock { _ = $0.remove(userID) } } }
        guard let begun = try await store.beginDeletion(of: userID, at: now, audit: audit) else { return false }
        accounts.endings.end(userID, because: .accountDeleted, except: kept)
        for friend in begun.friends { notifier.tell(friend, .friendRemoved(userID)) }
        await forget(begun.erasure)
        await carryOn(userID, isErased: begun.erasure.isComplete)
        return true
    }

    /// Finishes deletions left by a crash or a fault, now and periodically, until the task is cancelled.
    package func run() async {
        repeat { await finishAll() } while (try? await Task.sleep(for: Self.retryEvery, clock: .continuous)) != nil
    }

    // MARK: - Finishing

    /// Finishes the deletions left by a crash or a fault, as far as possible now.
    package func finishAll() async {
        do throws(StoreError) {
            for userID in try await store.unfinishedDeletions() { await finish(userID) }
        } catch {
            log.error("Unfinished deletions could not be read", metadata: ["error": "\(error)"])
        }
    }

    private func finish(_ userID: UserID) async {
        guard underWay.withLock({ $0.insert(userID).inserted }) else { return }
        defer { underWay.withLock { _ = $0.remove(userID) } }
        await carryOn(userID, isErased: false)
    }

    private func carryOn(_ userID: UserID, isErased: Bool) async {
        do throws(StoreError) {
            let hasLeft = try await leavePromises(of: userID)
            var isErased = isErased
            while !isErased {
                let erasure = try await store.eraseBelongings(of: userID)
                await forget(erasure)
                isErased = erasure.isComplete
            }
            guard hasLeft else { return }
            try await clearTraces(of: userID)
            try await store.makeTombstone(of: userID, at: accounts.clock.now, subjectKey: subjectKey.hash)
            if let card = try await store.cards(of: [userID])[userID] { cards.update(card) }
            // A request of the user that was in progress may have created or joined one more.
            if try await !store.openParts(of: userID, at: accounts.clock.now).isEmpty {
                _ = try await leavePromises(of: userID)
                try await clearTraces(of: userID)
            }
        } catch {
            log.error("A deletion waits for storage", metadata: ["user": "\(userID)", "error": "\(error)"])
        }
    }

    /// Clears what the user leaves in promises, part by part.
    private func clearTraces(of userID: UserID) async throws(StoreError) {
        var cursor: PromiseCursor?
        repeat {
            let cleared = try await store.clearTraces(of: userID, after: cursor)
            await promises.forgetTexts(of: cleared.emptied)
            cursor = cleared.next
        } while cursor != nil
    }

    private func forget(_ erasure: Erasure) async {
        await promises.forgetCourses(erasure.promises)
        await files.remove(erasure)
    }

    /// Ends a user's participation in promises that are not over. Returns false if some could not be ended now and must
    /// be retried.
    private func leavePromises(of userID: UserID) async throws(StoreError) -> Bool {
        var seen: Set<PromiseID> = []
        var isDone = true
        while true {
            let open = try await store.openParts(of: userID, at: accounts.clock.now).filter { !seen.contains($0) }
            if open.isEmpty { return isDone }
            for promiseID in open where await !part(from: promiseID, userID) { isDone = false }
            seen.formUnion(open)
        }
    }

    private func part(from promiseID: PromiseID, _ userID: UserID) async -> Bool {
        do {
            try await promises.part(userID, from: promiseID)
            return true
        } catch {
            let metadata: Logger.Metadata = ["promise": "\(promiseID)", "user": "\(userID)", "error": "\(error)"]
            guard ActError.isTransient(error) else {
                // It was over, or the user had left, in the meantime.
                log.debug("A deleted user was not in any open promise", metadata: metadata)
                return true
            }
            log.error("A deleted user could not leave a promise yet", metadata: metadata)
            return false
        }
    }
}
