package import PromisedDomain
package import PromisedPlaces

/// A stored way: a user's own in a folder, or one that the operator recommends to everyone.
///
/// Its points are stored separately: see ``CourseTrack``.
package struct Course: Hashable, Sendable {
    /// The origin of a course.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// The user's own way of a promise.
        case promise
        case recording
        case file
        /// Another course.
        case copy
        /// The operator recommends it.
        case `operator`
    }

    /// The owner and the folder of a course.
    package struct Home: Hashable, Sendable {
        package let userID: UserID
        /// The folder, which belongs to the user.
        package internal(set) var folderID: FolderID

        package init(userID: UserID, folderID: FolderID) {
            self.userID = userID
            self.folderID = folderID
        }
    }

    package let id: CourseID
    /// The owner and the folder; nil for a recommended course.
    package internal(set) var home: Home?
    package let source: Source
    /// The promise of the way.
    package internal(set) var promiseID: PromiseID?
    /// The owner's texts and photos.
    package internal(set) var notes: CourseNotes
    /// The data derived from its way.
    package internal(set) var way: CourseWay
    /// The way-points that the user named, in the order of the way; empty if the user named none.
    package internal(set) var named: [NamedWaypoint]
    /// The people who may see it, and how much of it.
    package internal(set) var sharing: CourseSharing
    /// The source, if a third party's terms apply.
    package let attribution: CourseAttribution?
    /// Rises by one with each change, from 1.
    package internal(set) var version: Int
    /// When it was last changed.
    package internal(set) var changedAt: Instant

    /// Creates a course from stored fields, without validation.
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

    /// The owner; nil for a recommended course.
    package var userID: UserID? { home?.userID }

    /// The way-points that the owner sees.
    package var waypoints: [CourseWaypoint] {
        named.isEmpty ? way.shape.waypoints : named.map(\.waypoint)
    }
}

/// The source and the terms of a course by a third party.
package struct CourseAttribution: Hashable, Sendable {
    /// The publisher, 1–100 characters.
    package var source: String
    /// The licence, at most 100 characters.
    package var licence: String
    /// The region of a recommended course; nil without one.
    package var region: RegionCode?

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
