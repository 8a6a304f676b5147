package import PromisedDomain
package import PromisedEngine
internal import PromisedJournal
package import PromisedPlaces
internal import PromisedStore

/// Texts about places and promises for users to share, in their own language (see ``ShareText``).
package struct ShareTexts: Sendable {
    private let sessions: PromiseSessions
    private let openings: PlaceOpenings
    private let maps: [MapLinkTemplate]
    private let clock: any WallClock

    private var store: MeetupStores { sessions.store }

    package init(
        sessions: PromiseSessions,
        openings: PlaceOpenings,
        maps: [MapLinkTemplate],
        clock: any WallClock
    ) {
        self.sessions = sessions
        self.openings = openings
        self.maps = maps
        self.clock = clock
    }

    /// The text of a place of the directory, with today's hours. Throws `placeNotFound`, `invalidToken`.
    package func text(of id: PlaceID, for userID: UserID) async throws -> ShareText {
        guard let place = try await store.places.places([id]).first, place.removedAt == nil else {
            throw ApplicationError.refused(.placeNotFound, field: "placeId")
        }
        let week = openings.week(of: place.listing.hours, from: clock.now)
        let writer = writer(for: try await account(userID))
        return writer.text(of: SharedPlace(place), today: week?.days.first.flatMap { SharedHours($0) })
    }

    /// The text of a promise to which the user is invited or that they have accepted: title, place and meeting time.
    /// The time is local to the place, or to the user if the place's time zone is unknown. Throws `promiseNotFound`,
    /// `invalidToken`.
    package func text(of id: PromiseID, for userID: UserID) async throws -> ShareText {
        let promise = try await sessions.show(id, to: userID).view.promise
        let account = try await account(userID)
        let known = try await place(promise.place.placeID)
        var shared = known.map { SharedPlace($0) } ?? SharedPlace(promise.place)
        shared.place = promise.place
        let zone = known.map(\.listing.hours.timeZone).flatMap { $0.isEmpty ? nil : $0 } ?? account.timeZone
        return writer(for: account).text(
            ofPromise: promise.title,
            at: shared,
            meetsAt: promise.meetsAt,
            aheadOfUTCSeconds: openings.aheadOfUTC(in: zone, at: promise.meetsAt)
        )
    }

    /// The text of a course that the user may see: title and length; for a recommended one, also its named start.
    /// Throws `courseNotFound`, `invalidToken`.
    package func text(of id: CourseID, for userID: UserID) async throws -> ShareText {
        guard let course = try await store.courses.course(id, seenBy: userID) else { throw Refusal.courseNotFound }
        let start = course.userID == nil ? course.waypoints.first?.place : nil
        return writer(for: try await account(userID)).text(
            ofCourse: course.notes.title,
            distanceMetres: course.way.statistics.distanceMetres,
            start: start.flatMap { $0.name.isEmpty ? nil : $0 }
        )
    }

    private func place(_ id: PlaceID?) async throws -> DirectoryPlace? {
        guard let id else { return nil }
        return try await store.places.places([id]).first
    }

    private func account(_ userID: UserID) async throws -> Account {
        guard let account = try await store.accounts.account(userID) else { throw ApplicationError.invalidToken }
        return account
    }

    private func writer(for account: Account) -> ShareTextWriter {
        ShareTextWriter(language: BilingualName.Language(locale: account.locale), maps: maps)
    }
}

extension SharedPlace {
    /// A place of the directory with its contacts.
    fileprivate init(_ place: DirectoryPlace) {
        self.init(place.listing.place, phone: place.phone, website: place.website, social: place.social)
    }
}

extension SharedHours {
    /// The hours of a day; nil if unknown.
    fileprivate init?(_ day: OpeningDay) {
        switch day.state {
        case .unknown: return nil
        case .closed: self = .closed
        case .thatDay: self = .thatDay
        case .open: self = .open(day.spans.map { $0.fromMinute..<$0.toMinute })
        }
    }
}
