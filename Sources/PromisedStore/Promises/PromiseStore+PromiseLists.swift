package import PromisedDomain

extension PromiseStore {
    /// A page of one of a user's lists of promises.
    ///
    /// - Parameters:
    ///   - list: the list, which defines the order.
    ///   - user: the user.
    ///   - now: the instant that determines the status.
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func promises(
        _ list: PromiseList,
        of user: UserID,
        at now: Instant,
        after cursor: PromiseCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<ListedPromise, PromiseCursor> {
        try await read { db in
            let rows = try db.rows(
                PromiseListQuery.sql(list),
                named: [
                    "user": user, "now": now, "limit": limit + 1,
                    "cursorTime": cursor?.meetsAt, "cursorID": cursor?.promiseID,
                ]
            )
            return Page(fetched: try rows.map(PromiseListQuery.item), limit: limit, cursor: \.cursor)
        }
    }

    /// A page of all promises in which a user ever had a part, earliest meeting first, including those that they
    /// declined or left: ``Standing`` says which they may read. Index `participant_by_meeting`.
    ///
    /// - Parameters:
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func parts(
        of user: UserID,
        after cursor: PromiseCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<PromiseID, PromiseCursor> {
        try await read { db in
            let rows = try db.rows(
                PromiseListQuery.parts,
                named: [
                    "user": user, "limit": limit + 1,
                    "time": cursor?.meetsAt ?? Instant(milliseconds: .min),
                    "id": cursor?.promiseID ?? PromiseID(high: 0, low: 0),
                ]
            )
            let page = Page(fetched: try rows.map(PromiseListQuery.part), limit: limit, cursor: \.self)
            return Page(items: page.items.map(\.promiseID), next: page.next)
        }
    }

    /// A user's promises whose windows overlap a given one: accepted, not cancelled, earliest first. Index
    /// `participant_open`.
    ///
    /// - Parameters:
    ///   - opensAt: the start of the window, included.
    ///   - closesAt: its end, excluded.
    ///   - excluded: a promise to skip.
    ///   - limit: the most promises to return.
    package func overlapping(
        user: UserID,
        opensAt: Instant,
        closesAt: Instant,
        excluding excluded: PromiseID? = nil,
        limit: Int = 20
    ) async throws(StoreError) -> [Promise] {
        try await read { db in
            try db.rows(
                PromiseListQuery.overlapping,
                named: ["user": user, "opensAt": opensAt, "closesAt": closesAt, "excluded": excluded, "limit": limit]
            ).map(PromiseRecord.promise)
        }
    }

    /// The window of a promise; nil if it does not exist. Primary key.
    package func window(of promise: PromiseID) async throws(StoreError) -> Range<Instant>? {
        try await read { db in try PromiseRecord.fetch(promise, from: db)?.window }
    }

    /// `true` if each of these users may take part in a promise with this window, in addition to those that they have
    /// accepted: see ``PromiseLimits/overlapping``. Index `participant_open`; reads one range per user.
    ///
    /// - Parameter excluded: a promise to ignore; nil to count all.
    package func hasRoom(
        for users: [UserID],
        in window: Range<Instant>,
        besides excluded: PromiseID? = nil
    ) async throws(StoreError) -> Bool {
        try await read { db in
            try users.allSatisfy { user in
                let rows = try db.rows(
                    PromiseListQuery.clocks,
                    named: [
                        "user": user, "from": window.lowerBound,
                        "to": window.upperBound + WindowSpans.longest, "excluded": excluded,
                    ]
                )
                return PromiseLimits.hasRoom(for: window, among: try rows.map(PromiseListQuery.window))
            }
        }
    }

    /// The counts of a user's open items: friend requests, invitations to promises whose window has not closed, and
    /// unread notifications. Indexes `friendship_by_first`, `friendship_by_second`, `participant_open`,
    /// `notification_unread`.
    package func unread(of user: UserID, at now: Instant) async throws(StoreError) -> Unread {
        try await read { db in try Self.unread(of: user, at: now, in: db) }
    }

    /// A user's account, nil if there never was one, and the counts of their open items, in one read.
    package func account(
        _ user: UserID,
        withUnreadAt now: Instant
    ) async throws(StoreError) -> (account: Account?, unread: Unread) {
        try await read { db in
            (try AccountRecord.fetch(user, from: db), try Self.unread(of: user, at: now, in: db))
        }
    }

    private static func unread(of user: UserID, at now: Instant, in db: SQLConnection) throws -> Unread {
        Unread(
            friendRequests: try db.number(PromiseListQuery.openFriendRequests, named: ["user": user]),
            invitations: try db.number(PromiseListQuery.openInvitations, named: ["user": user, "now": now]),
            notifications: try db.number(NotificationQuery.unread, named: ["user": user])
        )
    }
}
