package import PromisedAccess
package import PromisedDomain
package import PromisedEngine
internal import PromisedJournal
internal import PromisedSettings
internal import PromisedStore

/// Promises from creation to cancellation, and their ownership (domain §4).
package struct Promises: Sendable {
    private let sessions: PromiseSessions
    private let engine: Engine
    private let announcer: any Announcer & ConnectionIndex
    private let throttles: AccountThrottles
    private let clock: any WallClock
    private let random: RandomSource
    /// The window spans of new promises.
    package let spans: WindowSpans

    package init(
        sessions: PromiseSessions,
        engine: Engine,
        announcer: any Announcer & ConnectionIndex,
        throttles: AccountThrottles,
        clock: any WallClock,
        random: RandomSource,
        spans: WindowSpans
    ) {
        self.sessions = sessions
        self.engine = engine
        self.announcer = announcer
        self.throttles = throttles
        self.clock = clock
        self.random = random
        self.spans = spans
    }

    // MARK: - Making

    /// Creates a promise. A repeated key with the same content returns the promise in its current state.
    ///
    /// - Parameter audit: stored with the promise if an administrator creates it, who is exempt from the limit on
    ///   attempts.
    /// - Throws: `promiseKeyReused`, `promiseTooSoon`, `promiseTooFar`, `placeNotFound`, `promiseNotFriend`,
    ///   `promiseLimit`, `TooManyAttempts`.
    package func create(
        _ draft: PromiseDraft,
        by owner: UserID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws -> ShownPromise {
        try await sessions.creating(by: owner) { try await createInTurn(draft, by: owner, at: now, audit: audit) }
    }

    private func createInTurn(
        _ draft: PromiseDraft,
        by owner: UserID,
        at now: Instant,
        audit: AuditEntry?
    ) async throws -> ShownPromise {
        if let known = try await earlier(draft, of: owner, at: now) {
            return try await sessions.show(known, to: owner, withOverlaps: true)
        }
        try draft.requireTime(spans: spans, at: now)
        let place = try await PlaceCopies(sessions.store).copy(of: draft.place)
        try await requireCourse(draft.courseID, of: owner)
        try await sessions.requireFriends(draft.inviteeIDs, of: owner, field: "inviteeIds")
        if audit == nil { try throttles.makePromise(by: owner) }
        var generator = random
        let promise = draft.promise(of: owner, at: place, spans: spans, at: now, using: &generator)
        try await sessions.requireRoom(for: owner, in: promise.window)
        let events = draft.inviteeIDs.enumerated().map { index, userID in
            NumberedEvent(seq: index + 1, at: now, event: .invited(userID))
        }
        let outcome = try await sessions.store.promises.createPromise(
            promise,
            participants: draft.participants(with: owner, at: now),
            events: events,
            key: draft.key,
            contentHash: draft.contentHash,
            now: now,
            openLimit: PromiseLimits.openPromises,
            amongFriends: true,
            audit: audit
        )
        if let known = try existing(outcome) { return try await sessions.show(known, to: owner, withOverlaps: true) }
        await engine.noteOpening(at: promise.opensAt)
        try await announce(events, of: promise.id)
        return try await sessions.show(promise.id, to: owner, withOverlaps: true)
    }

    /// The promise of an earlier request with the same key: a repeat within 24 hours succeeds even if its meeting time
    /// is too near by now.
    private func earlier(_ draft: PromiseDraft, of owner: UserID, at now: Instant) async throws -> PromiseID? {
        try await sessions.store.promises.earlierCreation(
            by: owner,
            key: draft.key,
            contentHash: draft.contentHash,
            now: now
        )
        .flatMap { try existing($0) }
    }

    /// The promise created by an earlier request; nil if this request created it.
    private func existing(_ outcome: PromiseCreation) throws -> PromiseID? {
        switch outcome {
        case .created: return nil
        case .existing(let id): return id
        case .keyReused: throw Refusal.promiseKeyReused
        case .limitReached: throw Refusal.promiseLimit
        case .notFriend: throw ApplicationError.refused(.promiseNotFriend, field: "inviteeIds")
        }
    }

    /// Throws `courseNotFound` unless the user owns the course.
    private func requireCourse(_ id: CourseID?, of userID: UserID) async throws {
        guard let id else { return }
        guard try await sessions.store.courses.course(id, seenBy: userID)?.userID == userID else {
            throw ApplicationError.refused(.courseNotFound, field: "courseId")
        }
    }

    /// Removes a course that was deleted between its check and the edit: the session has it, the store does not.
    private func forgetIfDeleted(_ choice: CourseChoice?, of userID: UserID, in id: PromiseID) async throws {
        guard case .course(let course) = choice,
            try await sessions.store.courses.course(course, seenBy: userID)?.userID != userID
        else { return }
        await forgetCourses([id: course])
    }

    /// Removes just deleted courses from the live sessions that use them.
    func forgetCourses(_ carried: [PromiseID: CourseID]) async { await sessions.registry.forget(carried) }

    /// Clears the texts and places of just emptied promises from live sessions.
    func forgetTexts(of emptied: [PromiseID]) async { await sessions.registry.forgetTexts(of: emptied) }

    private func announce(_ events: [NumberedEvent], of id: PromiseID) async throws {
        guard !events.isEmpty else { return }
        let view = try await sessions.wholeView(of: id)
        try await sessions.cards(of: view).whilePinned {
            for event in events {
                announcer.note(event, in: view)
                guard case .invited(let userID) = event.event else { continue }
                announcer.deliver(.event(event, view), of: id, to: announcer.connections(of: userID))
            }
        }
    }

    // MARK: - Taking part

    /// An invited user accepts or declines. Throws `promiseNotFound`, `promiseClosed`, `promiseLimit`.
    package func respond(_ id: PromiseID, accept: Bool, by userID: UserID) async throws -> ShownPromise {
        try await sessions.requirePart(of: userID, in: id)
        if accept {
            try await sessions.withRoom(for: userID, in: id, at: clock.now) { hasRoom in
                // A block made since the invitation may separate the user from others.
                try await sessions.admit([userID], by: .respond(userID, accept: true, hasRoom: hasRoom), to: id)
            }
        } else {
            try await sessions.admit([userID], by: .respond(userID, accept: false), to: id)
        }
        return try await sessions.show(id, to: userID, withOverlaps: accept, evenIfGone: true)
    }

    /// A participant leaves.
    package func leave(_ id: PromiseID, by userID: UserID) async throws -> ShownPromise {
        try await sessions.perform(.leave(userID), of: userID, on: id)
        return try await sessions.show(id, to: userID, evenIfGone: true)
    }

    /// Ends a user's part in a promise because their account is deleted: an invitation is declined; an owner hands over
    /// to the earliest accepted participant, or cancels without one; any other participant leaves. A repeat, or a
    /// promise that is over, has no effect or is refused.
    func part(_ userID: UserID, from id: PromiseID) async throws {
        try await sessions.perform(.part(userID), of: userID, on: id)
    }

    // MARK: - Owning

    /// The owner changes a promise; returns overlaps if the time was moved. Throws `placeNotFound`, `promiseNotFriend`
    /// with the field of the first user who is not a friend, and the edit's refusals.
    package func edit(_ id: PromiseID, _ edit: PromiseEdit, by userID: UserID) async throws -> ShownPromise {
        try await sessions.requirePart(of: userID, in: id)
        var edit = edit
        if let place = edit.place { edit.place = try await PlaceCopies(sessions.store).copy(of: place) }
        if case .course(let course) = edit.course { try await requireCourse(course, of: userID) }
        try await requireNewFriends(edit.invite, in: id, of: userID)
        do {
            let asked = edit
            try await sessions.moving(id, by: asked, of: userID) { hasRoom in
                try await sessions.admit(asked.invite, by: .edit(asked, by: userID, hasRoom: hasRoom), to: id)
            }
            try await forgetIfDeleted(edit.course, of: userID, in: id)
        } catch EngineError.refused(let refusal) {
            guard edit.meetsAt != nil else { throw refusal }
            throw refusal.namingTime(try await sessions.view(of: id, for: userID).view.promise.spans)
        }
        if let meetsAt = edit.meetsAt {
            let spans = try await sessions.view(of: id, for: userID).view.promise.spans
            await engine.noteOpening(at: meetsAt - spans.before)
        }
        return try await sessions.show(id, to: userID, withOverlaps: edit.meetsAt != nil)
    }

    /// The owner hands the promise over to another participant.
    package func handOver(_ id: PromiseID, to heir: UserID, by userID: UserID) async throws -> ShownPromise {
        let (_, standing) = try await sessions.view(of: id, for: userID)
        if standing.part == .owner, heir != userID { try await requireRoom(of: heir) }
        try await sessions.perform(.handOver(to: heir, by: userID), of: userID, on: id)
        // The heir may have removed the previous owner by now; the handover still succeeded.
        return try await sessions.show(id, to: userID, evenIfGone: true)
    }

    /// The owner cancels a promise.
    package func cancel(_ id: PromiseID, because reason: String, by userID: UserID) async throws -> ShownPromise {
        let reason = try TextRule.reason.clean(reason)
        try await sessions.perform(.cancel(by: userID, reason: reason), of: userID, on: id)
        return try await sessions.show(id, to: userID)
    }

    /// Checks that only friends are invited; present members need not be friends any more. Only an owner's request is
    /// checked, so that the answer reveals nothing to others.
    private func requireNewFriends(_ invited: [UserID], in id: PromiseID, of userID: UserID) async throws {
        guard !invited.isEmpty else { return }
        let (view, standing) = try await sessions.view(of: id, for: userID)
        try standing.requireOwner()
        let isIn = Set(view.members.map(\.participant).filter(\.membership.isIn).map(\.userID))
        let strangers = invited.map { isIn.contains($0) ? nil : $0 }
        let friends = try await sessions.store.friendships.friends(of: userID, among: strangers.compactMap(\.self))
        for (index, stranger) in strangers.enumerated() {
            guard let stranger, stranger != userID, !friends.contains(stranger) else { continue }
            throw ApplicationError.refused(.promiseNotFriend, field: "invite[\(index)]")
        }
    }

    /// Checks the heir's room: a received promise counts like a created one.
    private func requireRoom(of heir: UserID) async throws {
        let count = try await sessions.store.promises.openPromiseCount(of: heir, at: clock.now)
        guard count < PromiseLimits.openPromises else { throw ApplicationError.refused(.promiseLimit, field: "userId") }
    }

    // MARK: - Reading

    /// The promise as a user may see it. Throws `promiseNotFound`.
    package func show(_ id: PromiseID, to userID: UserID) async throws -> ShownPromise {
        try await sessions.show(id, to: userID)
    }

    /// A page of a user's promises, and the user's card.
    package func list(
        _ list: PromiseList,
        of userID: UserID,
        after cursor: PromiseCursor?,
        limit: Int,
        at now: Instant
    ) async throws -> (page: Page<ListedPromise, PromiseCursor>, card: UserCard) {
        let page = try await sessions.store.promises.promises(list, of: userID, at: now, after: cursor, limit: limit)
        let card = try await sessions.store.accounts.cards(of: [userID])[userID]
        return (page, card ?? .tombstone(of: userID))
    }
}

extension Refusal {
    /// The error itself, except that a refusal of the meeting time names the allowed range.
    func namingTime(_ spans: WindowSpans) -> any Error {
        let message: String
        switch self {
        case .promiseTooSoon:
            message = "The meeting time is too soon: it must be at least \(spans.before.inWords) ahead."
        case .promiseTooFar:
            message =
                "The meeting time is too far ahead: it must be at most \(PromiseLimits.furthestAhead.inWords) ahead."
        default: return self
        }
        return ApplicationError.refused(self, field: "meetsAt", message: message)
    }
}
