/// A way that was kept: one's own in a folder, or one that the operator recommends to everybody.
///
/// Its points are kept apart from it: see ``CourseTrack``.
package struct Course: Hashable, Sendable {
    /// The origin of a course.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// The user's own way of a promise.
        case promise
        /// A recording.
        case recording
        /// A file.
        case file
        /// Another course.
        case copy
        /// The operator recommends it.
        case `operator`
    }

    /// Where a user keeps a course.
    package struct Home: Hashable, Sendable {
        /// The user.
        package let userID: UserID
        /// The folder, which is the user's.
        package internal(set) var folderID: FolderID

        /// A folder of a user.
        package init(userID: UserID, folderID: FolderID) {
            self.userID = userID
            self.folderID = folderID
        }
    }

    /// Its id.
    package let id: CourseID
    /// Whose it is; nil for a recommended one.
    package internal(set) var home: Home?
    /// Its origin.
    package let source: Source
    /// The promise that the way was kept from.
    package internal(set) var promiseID: PromiseID?
    /// The user's words and photos.
    package internal(set) var notes: CourseNotes
    /// Everything that follows from its way.
    package internal(set) var way: CourseWay
    /// The way-points that the user named, in the order of the way; empty if the user named none.
    package internal(set) var named: [NamedWaypoint]
    /// The people who may see it, and how much of it.
    package internal(set) var sharing: CourseSharing
    /// Where it comes from, if somebody else's terms apply.
    package let attribution: CourseAttribution?
    /// Rises by one with each change, from 1.
    package internal(set) var version: Int
    /// When it was last changed.
    package internal(set) var changedAt: Instant

    /// A course with all its fields; for the store, since nothing is checked.
    package init(
        id: CourseID,
        home: Home?,
        source: Source,
        promiseID: PromiseID? = nil,
        notes: CourseNotes,
        way: CourseWay,
        named: [NamedWaypoint] = [],
        sharing: CourseSharing = CourseSharing(),
        attribution: CourseAttribution? = nil,
        version: Int = 1,
        changedAt: Instant
    ) {
        self.id = id
        self.home = home
        self.source = source
        self.promiseID = promiseID
        self.notes = notes
        self.way = way
        self.named = named
        self.sharing = sharing
        self.attribution = attribution
        self.version = version
        self.changedAt = changedAt
    }

    /// The user whose it is; nil for a recommended one.
    package var userID: UserID? { home?.userID }

    /// The way-points that its user sees.
    package var waypoints: [CourseWaypoint] {
        named.isEmpty ? way.shape.waypoints : named.map(\.waypoint)
    }
}

/// The source and the terms of a course that comes from outside.
package struct CourseAttribution: Hashable, Sendable {
    /// The publisher, 1–100 characters.
    package var source: String
    /// The licence, at most 100 characters.
    package var licence: String
    /// The region of a recommended course; nil without one.
    package var region: RegionCode?

    /// An attribution.
    package init(source: String, licence: String, region: RegionCode? = nil) {
        self.source = source
        self.licence = licence
        self.region = region
    }

    /// Checks the lengths. Throws `invalid` with the field `attribution`.
    func check() throws(Refusal) {
        guard (1...100).contains(source.count), licence.count <= 100 else { throw .invalid(field: "attribution") }
    }
}
