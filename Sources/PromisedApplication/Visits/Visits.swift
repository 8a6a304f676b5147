internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedJournal
package import PromisedPlaces
package import PromisedStore

/// The visits of users: recording by hand, editing, deleting, listing, counting. Visits from arrivals are written with
/// the results.
package struct Visits: Sendable {
    private let store: (accounts: AccountStore, friendships: FriendshipStore, places: PlaceStore, visits: VisitStore)
    private let files: Files
    private let zones: TimeZones
    private let holidays: HolidayCalendar
    private let clock: any WallClock
    private let random: RandomSource

    package init(
        store: some HasAccounts & HasFriendships & HasPlaces & HasVisits,
        files: Files,
        zones: TimeZones,
        holidays: HolidayCalendar,
        clock: any WallClock,
        random: RandomSource
    ) {
        self.store = (store.accounts, store.friendships, store.places, store.visits)
        self.files = files
        self.zones = zones
        self.holidays = holidays
        self.clock = clock
        self.random = random
    }

    /// A visit with everything needed to show it.
    package struct Shown: Hashable, Sendable {
        package let visit: Visit
        /// The files of its photos, and of the other visits on its page.
        package let files: [FileID: StoredFile]
        /// The cards of its user and companions, and of the other visits on its page.
        package let cards: [UserID: UserCard]
    }

    // MARK: - Changes

    /// Records a visit by hand. The same key with the same content returns the current visit.
    ///
    /// - Parameters:
    ///   - content: the content with texts as received.
    ///   - contentHash: a hash of the request without the key.
    /// - Throws: `TextProblem`, `invalid` with the field, `placeNotFound`, `fileNotFound`, `userNotFound` for a
    ///   companion who is not a friend, `visitEmpty`, `visitLimit`, `requestKeyReused`.
    package func create(
        _ content: VisitContent,
        key: String,
        contentHash: [UInt8],
        by userID: UserID
    ) async throws -> Shown {
        let key = try TextRule.creationKey.clean(key)
        let content = try content.cleaned()
        guard let place = content.place else { throw Refusal.invalid(field: "place") }
        guard let at = content.visitedAt else { throw Refusal.invalid(field: "visitedAt") }
        let now = clock.now
        // A repeated request succeeds even if a companion is no longer a friend, or the place is no longer in the
        // directory.
        let earlier = try await store.visits.earlierVisit(of: userID, key: key, contentHash: contentHash, at: now)
        if let made = try earlier.get() { return try await shown(made) }
        try await requireFriends(content.companions ?? [], of: userID)
        var generator = random
        let draft = VisitDraft(
            moment: try await moment(of: place, at: at, by: userID),
            notes: VisitNotes(
                kind: content.kind ?? .note,
                title: content.title ?? "",
                memo: content.memo ?? "",
                emoji: content.emoji ?? "",
                photos: content.photos ?? []
            ),
            companions: content.companions ?? [],
            audience: content.audience ?? .onlyMe
        )
        let made = try await store.visits.createVisit(
            draft,
            id: VisitID(at: now, using: &generator),
            of: userID,
            key: key,
            contentHash: contentHash,
            at: now
        )
        return try await shown(try made.get())
    }

    /// Changes one of the user's visits.
    ///
    /// - Throws: as ``create(_:key:contentHash:by:)``, and `visitNotFound`, `visitStaleVersion`.
    package func update(_ id: VisitID, version: Int, _ content: VisitContent, by userID: UserID) async throws -> Shown {
        let content = try content.cleaned()
        guard let before = try await store.visits.visit(id, seenBy: userID), before.userID == userID else {
            throw Refusal.visitNotFound
        }
        var edit = VisitEdit(version: version)
        edit.moment = try await moment(of: content, before: before, by: userID)
        edit.kind = content.kind
        edit.title = content.title
        edit.memo = content.memo
        edit.emoji = content.emoji
        edit.photos = content.photos
        edit.companions = content.companions
        edit.audience = content.audience
        // A companion who is no longer a friend may stay.
        try await requireFriends(content.companions ?? [], besides: Set(before.companions), of: userID)
        let change = try await store.visits.updateVisit(id, of: userID, edit, at: clock.now).get()
        await files.deletions.remove(change.removedFiles)
        return try await shown(change.visit)
    }

    /// Deletes a visit with its photos. Throws `visitNotFound`.
    package func delete(_ id: VisitID, by userID: UserID) async throws {
        guard let removed = try await store.visits.deleteVisit(id, of: userID) else { throw Refusal.visitNotFound }
        await files.deletions.remove(removed)
    }

    // MARK: - Questions

    /// A visit that the user may see: their own, or another's by its audience. Throws `visitNotFound`.
    package func get(_ id: VisitID, by userID: UserID) async throws -> Shown {
        guard let visit = try await store.visits.visit(id, seenBy: userID) else { throw Refusal.visitNotFound }
        return try await shown(visit)
    }

    /// A page of a user's visits that the viewer may see, newest first; empty for a user whom the viewer may not know.
    package func list(
        of userID: UserID,
        filter: VisitFilter,
        after cursor: VisitCursor?,
        limit: Int,
        seenBy viewer: UserID
    ) async throws -> Page<Shown, VisitCursor> {
        let page = try await store.visits.visits(
            of: userID,
            seenBy: viewer,
            filter: filter,
            after: cursor,
            limit: limit
        )
        return Page(items: try await shown(page.items), next: page.next)
    }

    /// The statistics of a user's visits.
    package func statistics(of userID: UserID) async throws -> VisitStatistics {
        try await store.visits.visitStatistics(of: userID)
    }

    // MARK: - Parts

    private func shown(_ visit: Visit) async throws -> Shown {
        guard let shown = try await shown([visit]).first else { throw ApplicationError.broken }
        return shown
    }

    /// The visits with their cards and files, in two reads for all.
    private func shown(_ visits: [Visit]) async throws -> [Shown] {
        let people = visits.flatMap(\.companions).compactMap { companion in
            if case .user(let id) = companion { id } else { nil }
        }
        let files = try await files.files(visits.flatMap(\.notes.photos).map(\.fileID))
        let cards = try await store.accounts.cards(of: people + visits.map(\.userID))
        return visits.map { Shown(visit: $0, files: files, cards: cards) }
    }

    private func moment(of content: VisitContent, before: Visit, by userID: UserID) async throws -> VisitMoment? {
        guard content.place != nil || content.visitedAt != nil else { return nil }
        let at = content.visitedAt ?? before.moment.at
        guard let place = content.place else {
            // The same place at another time, even if it is no longer in the directory.
            return try await moment(of: before.moment.place, at: at, by: userID, mayBeGone: true)
        }
        return try await moment(of: place, at: at, by: userID)
    }

    /// A place at an instant, dated by its time zone (see ``VisitZone``). A place of the directory is identified by its
    /// id alone.
    private func moment(
        of place: Place,
        at instant: Instant,
        by userID: UserID,
        mayBeGone: Bool = false
    ) async throws -> VisitMoment {
        var known: DirectoryPlace?
        if let id = place.placeID {
            known = try await store.places.places([id]).first.flatMap { $0.removedAt == nil || mayBeGone ? $0 : nil }
            guard known != nil || mayBeGone else {
                throw ApplicationError.refused(.placeNotFound, field: "place.placeId")
            }
        }
        let copy = known == nil || mayBeGone ? place : nil
        let visitZone = VisitZone(
            of: (copy ?? known?.listing.place ?? place).coordinate,
            source: known?.listing.hours.timeZone ?? "",
            zone: { zones.offsets(of: $0) }
        )
        let own = try await store.accounts.account(userID).flatMap { zones.offsets(of: $0.timeZone) }
        let zone = visitZone.offsets(at: instant, own: own)
        let site = known.map { VisitSite($0, as: copy, in: zone, holidays: holidays) } ?? VisitSite(place, in: zone)
        return site.moment(at: instant)
    }

    /// Throws `userNotFound` for the first companion who is not a friend, whether or not the user exists.
    ///
    /// - Parameter known: companions who need not be friends.
    private func requireFriends(
        _ companions: [Companion],
        besides known: Set<Companion> = [],
        of userID: UserID
    ) async throws {
        for (index, companion) in companions.enumerated() where !known.contains(companion) {
            guard case .user(let other) = companion, other != userID else { continue }
            let friendship = try await store.friendships.friendship(between: userID, and: other, at: clock.now)
            guard friendship.state == .friends else {
                throw ApplicationError.refused(.userNotFound, field: "companions[\(index)].user.userId")
            }
        }
    }
}

/// The parts of a visit given in a request; nil for omitted ones.
package struct VisitContent: Hashable, Sendable {
    /// The place; one of the directory is given by its id alone.
    package var place: Place?
    package var visitedAt: Instant?
    package var kind: VisitNotes.Kind?
    /// At most 100 characters.
    package var title: String?
    /// At most 2,000 characters, with line breaks.
    package var memo: String?
    /// One emoji, or empty.
    package var emoji: String?
    /// All photos, in order.
    package var photos: [Photo]?
    package var companions: [Companion]?
    /// The people who may see it.
    package var audience: Audience?

    package init() {}

    /// The content with cleaned texts. Throws `TextProblem`, `invalid` with the field for an impossible place.
    func cleaned() throws -> VisitContent {
        var content = self
        if let place { content.place = try PromiseDraft.checked(place) }
        content.title = try title.map { text throws(TextProblem) in try TextRule.visitTitle.clean(text) }
        content.memo = try memo.map { text throws(TextProblem) in try TextRule.memo.clean(text) }
        content.emoji = try emoji.map { text throws(TextProblem) in try TextRule.emoji.clean(text) }
        for (index, photo) in (photos ?? []).enumerated() {
            content.photos?[index].caption = try TextRule.caption(at: index).clean(photo.caption)
        }
        for (index, companion) in (companions ?? []).enumerated() {
            guard case .named(let name) = companion else { continue }
            content.companions?[index] = .named(try TextRule.companionName(at: index).clean(name))
        }
        return content
    }
}

extension TextRule {
    /// The title of a visit: at most 100 characters, possibly empty.
    static let visitTitle = TextRule(field: "title", length: 0...VisitLimits.title)
    /// The memo of a visit: at most 2,000 characters in lines, possibly empty.
    static let memo = TextRule(field: "memo", length: 0...VisitLimits.memo, allowsLineBreaks: true)
    /// The caption of a photo: at most 100 characters, possibly empty.
    static func caption(at index: Int) -> TextRule {
        TextRule(field: "photos[\(index)].caption", length: 0...Photo.longestCaption)
    }
    /// The name of a companion: 1–40 characters.
    static func companionName(at index: Int) -> TextRule {
        TextRule(field: "companions[\(index)].name", length: 1...Companion.longestName)
    }
}

extension CommitPassenger {
    /// The visits of a result, whose users are notified.
    package static func visits(
        _ visits: ArrivalVisits,
        news: any News,
        notifications: NotificationQueue
    ) -> CommitPassenger {
        .visits(visits) { made in
            for visit in made {
                notifications.raise(.visitMade(visit.id), for: [visit.userID], isOnce: true)
                news.tell(.visitMade(visit), to: .user(visit.userID))
            }
        }
    }
}
