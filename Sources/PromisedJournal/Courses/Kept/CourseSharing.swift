package import PromisedDomain

/// The people who may see a course besides its user, and how much of it.
package struct CourseSharing: Hashable, Sendable {
    /// The kind of people; never ``Audience/companions``.
    package var audience: Audience
    /// With ``Audience/people``, 1–50 different users, of whom only friends see the course; otherwise empty.
    package var people: [UserID]
    /// The way is hidden from others within this distance of its ends, in metres.
    package internal(set) var hideMetres: Int

    /// Sharing; by default private.
    package init(
        audience: Audience = .onlyMe,
        people: [UserID] = [],
        hideMetres: Int = HiddenEnds.defaultMetres
    ) {
        self.audience = audience
        self.people = people
        self.hideMetres = hideMetres
    }

    /// Checks audience and people of a user's course; the caller checks that the people are friends. Throws `invalid`
    /// with the field.
    func check(of user: UserID) throws(Refusal) {
        guard audience != .companions else { throw .invalid(field: "audience") }
        let counts = audience == .people ? 1...CourseLimits.people : 0...0
        guard counts.contains(people.count), Set(people).count == people.count, !people.contains(user) else {
            throw .invalid(field: "userIds")
        }
    }
}

/// The course as others see it, with another distance from its ends; see ``CourseTrack/hiding(_:named:names:)``.
package struct CourseHiding: Hashable, Sendable {
    /// The version of the course that it was computed from.
    package let version: Int
    /// The way is hidden from others within this distance of its ends, in metres.
    package let hideMetres: Int
    /// The way as others see it.
    package let shape: CourseShape
    /// The statistics of the visible part.
    package let statistics: CourseStatistics
    /// The way-points that the user named.
    package let named: [NamedWaypoint]
}

extension Course {
    /// The way as others see it now.
    package var hiding: CourseHiding {
        CourseHiding(
            version: version,
            hideMetres: sharing.hideMetres,
            shape: way.hidden,
            statistics: way.hiddenStatistics,
            named: named
        )
    }

    /// Shares a course of a user with others. The version rises by one if anything changed.
    ///
    /// - Parameters:
    ///   - audience: the people; ``Audience/onlyMe`` ends all sharing except through promises.
    ///   - people: the chosen friends; the caller has checked that they are.
    ///   - hiding: another distance from the ends; nil leaves it.
    /// - Throws: `invalid` with the field; `courseStaleVersion` if the course has changed since `hiding` was computed.
    package mutating func share(
        with audience: Audience,
        people: [UserID] = [],
        hiding: CourseHiding? = nil,
        at now: Instant
    ) throws(Refusal) {
        guard let userID else { throw .courseNotFound }
        var shared = self
        (shared.sharing.audience, shared.sharing.people) = (audience, people)
        try shared.sharing.check(of: userID)
        if let hiding {
            guard hiding.version == version else { throw .courseStaleVersion }
            guard HiddenEnds.metresRange.contains(hiding.hideMetres) else { throw .invalid(field: "hideMetres") }
            shared.sharing.hideMetres = hiding.hideMetres
            (shared.way.hidden, shared.way.hiddenStatistics) = (hiding.shape, hiding.statistics)
            shared.named = hiding.named
        }
        take(shared, at: now)
    }

    /// Replaces the course by `other`, a later state of it.
    mutating func take(_ other: Course, at now: Instant) {
        guard other != self else { return }
        self = other
        version += 1
        changedAt = max(changedAt, now)
    }
}
