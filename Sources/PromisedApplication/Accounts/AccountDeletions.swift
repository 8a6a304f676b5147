internal import Logging
package import PromisedAccess
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine
internal import PromisedJournal
internal import PromisedPlaces
package import PromisedSettings
internal import PromisedStore

/// Deletes accounts, and erases the data of deleted accounts and folders (domain §2).
///
/// ```
/// begin: a tombstone without sessions  ─▶ leave the promises ─▶ visits, courses, files, … ─▶ traces in ─▶ erased
///        or password                                            friends, part by part        promises
///        └──────────── before the reply ───────────┘
/// ```
/// Before the reply, the user leaves the first promises, including those in progress, and a small account is erased
/// completely. The rest is unreadable at once. It is erased part by part after the reply; after a crash, at the next
/// start; after a storage failure, a minute later.
package struct AccountDeletions: Sendable {
    /// How often unfinished deletions are retried, in real time.
    private static let retryEvery = Duration.seconds(60)
    /// The most promises that a user leaves before the reply: no user takes part in more at the same time.
    private static let leftAtOnce = PromiseLimits.overlapping

    private let accounts: Accounts
    private let news: any News
    private let cards: UserCardCache
    private let promises: Promises
    private let files: Files
    private let subjectKey: SubjectKey
    private let pauses: any Clock<Duration>
    /// The accounts whose deletion is in progress; each has one worker.
    private let underWay = Guarded<Set<UserID>>([])

    private var store: DeletionStore { accounts.store.deletions }
    private var log: Logger { accounts.log }

    /// - Parameters:
    ///   - subjectKey: hashes the outside issuer's subject of an account.
    ///   - pauses: measures the time between retries; real time outside simulations.
    package init(
        accounts: Accounts,
        news: any News,
        cards: UserCardCache,
        promises: Promises,
        files: Files,
        subjectKey: SubjectKey,
        pauses: any Clock<Duration> = .continuous
    ) {
        self.accounts = accounts
        self.news = news
        self.cards = cards
        self.promises = promises
        self.files = files
        self.subjectKey = subjectKey
        self.pauses = pauses
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
        guard try await erase(userID, at: now, except: kept) else { throw ApplicationError.invalidToken }
    }

    /// Deletes an account; parts that fail are retried later.
    ///
    /// - Parameters:
    ///   - audit: written in the same transaction if an administrator deletes it.
    ///   - kept: a connection that stays open.
    /// - Returns: `true` if the account existed and its deletion had not begun.
    package func erase(
        _ userID: UserID,
        at now: Instant,
        audit: AuditEntry? = nil,
        except kept: SubscriberID? = nil
    ) async throws -> Bool {
        // Marked from the start, so that no other worker finishes the deletion meanwhile.
        let isMine = underWay.withLock { $0.insert(userID).inserted }
        var isDone = true
        defer {
            if isMine { underWay.withLock { _ = $0.remove(userID) } }
            if !isDone { store.askForErasing() }
        }
        let hash = subjectKey.hash
        guard let begun = try await store.beginDeletion(of: userID, at: now, subjectKey: hash, audit: audit) else {
            return false
        }
        cards.update(.tombstone(of: userID))
        news.end(userID, because: .accountDeleted, except: kept)
        news.tell(.friendRemoved(userID), to: .users(begun.friends))
        await promises.forgetCourses(begun.erasure.promises)
        await files.deletions.removeFirst(begun.erasure)
        isDone = await isErased(userID, after: begun.erasure)
        return true
    }

    /// Erases deleted accounts and folders at the start, on request, and after a failure, until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                // Sleeping throws only if the task is cancelled.
                while (try? await pauses.sleep(for: Self.retryEvery)) != nil { store.askForErasing() }
            }
            await finishAll()
            for await _ in store.erasings { await finishAll() }
        }
    }

    // MARK: - Finishing

    /// Erases the remaining data of deleted accounts and folders, as far as possible now.
    func finishAll() async {
        await files.deletions.removeLeftovers()
        do throws(StoreError) {
            for erasing in try await store.unfinishedErasures() {
                switch erasing {
                case .account(let userID): await finish(userID)
                case .folder(let folderID): await erase(folderID)
                }
            }
        } catch {
            log.error("Unfinished deletions could not be read", metadata: ["error": "\(error)"])
        }
    }

    private func erase(_ folderID: FolderID) async {
        do throws(StoreError) {
            while !Task.isCancelled {
                let part = try await accounts.store.courses.eraseFolder(folderID)
                await forget(part)
                if part.isComplete { return }
            }
        } catch {
            log.error("A deletion waits for storage", metadata: ["folder": "\(folderID)", "error": "\(error)"])
        }
    }

    private func finish(_ userID: UserID) async {
        guard underWay.withLock({ $0.insert(userID).inserted }) else { return }
        defer { underWay.withLock { _ = $0.remove(userID) } }
        do throws(StoreError) {
            // An earlier version began a deletion without a tombstone.
            if let begun = try await store.beginDeletion(
                of: userID,
                at: accounts.clock.now,
                subjectKey: subjectKey.hash
            ) {
                cards.update(.tombstone(of: userID))
                await forget(begun.erasure)
            }
            let hasLeft = try await leavePromises(of: userID)
            while !Task.isCancelled {
                let part = try await store.eraseBelongings(of: userID)
                await forget(part)
                if part.isComplete { break }
            }
            guard hasLeft, try await clearTraces(of: userID) else { return }
            await forget(try await store.finishDeletion(of: userID))
        } catch {
            log.error("A deletion waits for storage", metadata: ["user": "\(userID)", "error": "\(error)"])
        }
    }

    /// Performs the part before the reply. Returns `true` if nothing is left to erase.
    private func isErased(_ userID: UserID, after first: Erasure) async -> Bool {
        do throws(StoreError) {
            guard try await leavePromises(of: userID, atMost: Self.leftAtOnce), first.isComplete else { return false }
            let cleared = try await store.clearTraces(of: userID)
            await promises.forgetTexts(of: cleared.emptied)
            guard cleared.next == nil else { return false }
            let last = try await store.finishDeletion(of: userID)
            await forget(last)
            return last.isComplete
        } catch {
            log.error("A deletion waits for storage", metadata: ["user": "\(userID)", "error": "\(error)"])
            return false
        }
    }

    /// Clears the user's traces in promises, part by part. Returns `false` if the task was cancelled before the end.
    private func clearTraces(of userID: UserID) async throws(StoreError) -> Bool {
        var cursor: PromiseCursor?
        while !Task.isCancelled {
            let cleared = try await store.clearTraces(of: userID, after: cursor)
            await promises.forgetTexts(of: cleared.emptied)
            guard let next = cleared.next else { return true }
            cursor = next
        }
        return false
    }

    private func forget(_ erasure: Erasure) async {
        await promises.forgetCourses(erasure.promises)
        await files.deletions.remove(erasure)
    }

    /// Ends a user's participation in unfinished promises, earliest first.
    ///
    /// - Parameter most: the most promises to leave now; nil for all.
    /// - Returns: `false` if some participations could not be ended and must be retried.
    private func leavePromises(of userID: UserID, atMost most: Int? = nil) async throws(StoreError) -> Bool {
        var seen: Set<PromiseID> = []
        var isDone = true
        while true {
            let open = try await store.openParts(of: userID, at: accounts.clock.now).filter { !seen.contains($0) }
            if open.isEmpty { return isDone }
            if let most, seen.count >= most { return false }
            let next = open.prefix(Self.leftAtOnce)
            if await !part(fromAll: next, userID) { isDone = false }
            seen.formUnion(next)
        }
    }

    /// Ends a user's participation in several promises at the same time, so that they share commits.
    private func part(fromAll promises: some Sequence<PromiseID>, _ userID: UserID) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            for promiseID in promises { group.addTask { await part(from: promiseID, userID) } }
            return await group.reduce(true) { $0 && $1 }
        }
    }

    private func part(from promiseID: PromiseID, _ userID: UserID) async -> Bool {
        do {
            try await promises.part(userID, from: promiseID)
            return true
        } catch {
            let metadata: Logger.Metadata = ["promise": "\(promiseID)", "user": "\(userID)", "error": "\(error)"]
            guard ApplicationError.isTransient(error) else {
                // The promise ended, or the user left, in the meantime.
                log.debug("A deleted user was not in any open promise", metadata: metadata)
                return true
            }
            log.error("A deleted user could not leave a promise yet", metadata: metadata)
            return false
        }
    }
}
