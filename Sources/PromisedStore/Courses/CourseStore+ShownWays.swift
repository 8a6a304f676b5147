package import PromisedDomain
package import PromisedJournal

/// The reply to a request for a part of a way.
package enum ShownPart: Hashable, Sendable {
    /// The course does not exist, or the user may not see it.
    case hidden
    case page(TrackPage)
    /// The way is not stored: the caller computes it from ``CourseStore/track(of:seenBy:)``.
    case unknown
}

extension CourseStore {
    /// The secret that shifts the circles around the hidden ends of a user's courses; nil means the operator, whose
    /// courses hide no ends. Primary key.
    package func endsSecret(of user: UserID?) async throws(StoreError) -> EndsSecret {
        try await read { db in try EndsSecretRecord.fetch(of: user, from: db) }
    }

    /// A part of the way of a course as a user sees it, if that is kept. Primary keys, index `promise_by_course`.
    ///
    /// - Parameter hideMetres: instead the way as others would see it if the course hid this distance from its ends: for
    ///   the course's user alone, and kept for the course's own distance alone. Nil for the way as the user sees it.
    package func shownPart(
        _ part: TrackPart,
        of id: CourseID,
        seenBy viewer: UserID,
        hiding hideMetres: Int? = nil
    ) async throws(StoreError) -> ShownPart {
        try await read { db in
            guard try CourseQuery.isVisible(id, to: viewer, in: db),
                let row = try db.row("SELECT user_id, hide_metres FROM course WHERE id = ?", [id])
            else { return .hidden }
            let isOwn = try row.value("user_id") as UserID? == viewer
            if let hideMetres {
                guard isOwn else { return .hidden }
                guard try row.value("hide_metres") == hideMetres else { return .unknown }
            }
            let page = try ShownWayRecord.page(part, of: id, isOwn: isOwn && hideMetres == nil, from: db)
            return page.map(ShownPart.page) ?? .unknown
        }
    }

    /// How many ways of a course are stored: for its user, and for others. Primary keys.
    package func keptWays(of id: CourseID) async throws(StoreError) -> Int {
        try await read { db in try db.number(ShownWayQuery.current, named: ["course": id]) }
    }

    /// Stores a way for later requests, in one transaction. Does nothing if the course no longer exists or now hides a
    /// different distance. Primary keys.
    package func keep(_ way: ShownWay, of id: CourseID) async throws(StoreError) {
        try await writeAlone { db in
            guard let row = try db.row("SELECT hide_metres FROM course WHERE id = ?", [id]) else { return }
            guard try way.isOwn || row.value("hide_metres") == way.hideMetres else { return }
            try ShownWayRecord.replace(by: way, of: id, in: db)
        }
    }
}
