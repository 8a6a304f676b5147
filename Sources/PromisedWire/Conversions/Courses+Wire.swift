package import PromisedDomain
package import PromisedJournal
internal import PromisedPlaces
package import PromisedProtocol
internal import SwiftProtobuf

extension WireFolder {
    /// A folder with the sums of its courses.
    package init(_ folder: Folder, courses: Int, distanceMetres: Double) {
        self.init()
        folderID = folder.id.wireText
        version = UInt32(clamping: folder.version)
        title = folder.title.bounded(characters: CourseLimits.title.upperBound)
        emoji = folder.emoji.bounded(characters: 1)
        self.courses = UInt32(clamping: courses)
        self.distanceMetres = distanceMetres
        changedAt = WireTimestamp(folder.changedAt)
    }
}

extension WireCourse {
    /// A course as a user sees it.
    ///
    /// - Parameters:
    ///   - isOwn: `false` for another user's course, which then includes the user's card.
    ///   - files: the files of its photos; omits photos without a file.
    ///   - card: the cards of the user and of the users with whom it is shared.
    package init(
        _ course: Course,
        isOwn: Bool,
        files: [FileID: StoredFile],
        card: (UserID) -> UserCard
    ) {
        self.init()
        courseID = course.id.wireText
        version = UInt32(clamping: course.version)
        source = WireCourseSource.Value(course.source)
        title = course.notes.title.bounded(characters: CourseLimits.title.upperBound)
        memo = course.notes.memo.bounded(characters: CourseLimits.memo)
        activity = WireActivity.Value(course.notes.activity)
        if let startedAt = course.way.startedAt { self.startedAt = WireTimestamp(startedAt) }
        statistics = WireCourseStatistics(course.way.statistics)
        if let box = course.way.shape.box { self.box = WireBox(box) }
        outlines = course.way.shape.outlines
        waypoints = course.waypoints.map(WireWaypoint.init)
        photos = course.notes.photos.compactMap { photo in files[photo.fileID].map { WirePhoto(photo, file: $0) } }
        audience = WireAudience.Value(course.sharing.audience)
        promiseID = course.promiseID?.wireText ?? ""
        attribution = course.attribution?.wireText ?? ""
        if isOwn {
            folderID = course.home?.folderID.wireText ?? ""
            stops = course.way.shape.stops.map(WireStop.init)
            people = course.sharing.people.map { WireUserCard(card($0)) }
            hideMetres = UInt32(clamping: course.sharing.hideMetres)
        } else if let userID = course.userID {
            user = WireUserCard(card(userID))
        }
    }
}

extension WireAdminCourse {
    /// A recommended course as an administrator sees it.
    package init(_ course: Course) {
        self.init()
        courseID = course.id.wireText
        title = course.notes.title.bounded(characters: CourseLimits.title.upperBound)
        region = course.attribution?.region?.wireText ?? ""
        sourceName = course.attribution?.source.bounded(characters: 100) ?? ""
        licence = course.attribution?.licence.bounded(characters: 100) ?? ""
        activity = WireActivity.Value(course.notes.activity)
        distanceMetres = course.way.statistics.distanceMetres
        points = UInt32(clamping: course.way.statistics.points)
        addedAt = WireTimestamp(course.changedAt)
    }
}

extension CourseAttribution {
    /// Source and licence on one line.
    fileprivate var wireText: String {
        let parts = [source.bounded(characters: 100), licence.bounded(characters: 100)]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension WireCourseStatistics {
    /// The figures of a way.
    package init(_ statistics: CourseStatistics) {
        self.init()
        points = UInt32(clamping: statistics.points)
        dropped = UInt32(clamping: statistics.dropped)
        distanceMetres = statistics.distanceMetres
        durationMs = Double(statistics.duration.milliseconds)
        movingMs = Double(statistics.moving.milliseconds)
        if let speed = statistics.topSpeedMps { topSpeedMps = speed }
        if let ascent = statistics.ascentMetres { ascentMetres = ascent }
        if let descent = statistics.descentMetres { descentMetres = descent }
        if let lowest = statistics.minAltitudeMetres { minAltitudeMetres = lowest }
        if let highest = statistics.maxAltitudeMetres { maxAltitudeMetres = highest }
    }
}

extension WireWaypoint {
    fileprivate init(_ waypoint: CourseWaypoint) {
        self.init()
        name = waypoint.name.bounded(characters: CourseLimits.waypointName)
        place = .with {
            $0.name = waypoint.place.name.bounded(characters: CourseLimits.waypointName)
            $0.latitude = waypoint.place.coordinate.latitude
            $0.longitude = waypoint.place.coordinate.longitude
        }
        kind = WireWaypointKind.Value(waypoint.kind)
        atMetres = waypoint.atMetres
    }
}

extension CourseWaypoint {
    /// The way-points in a request, with names as received. Throws ``WireError/invalid(field:)`` for too many, and for
    /// a missing or out-of-range point.
    package static func list(wire waypoints: [WireWaypoint]) throws(WireError) -> [CourseWaypoint] {
        guard waypoints.count <= limit else { throw .invalid(field: "waypoints") }
        var list: [CourseWaypoint] = []
        for (index, waypoint) in waypoints.enumerated() {
            let field = "waypoints[\(index)]"
            guard waypoint.hasPlace else { throw .invalid(field: "\(field).place") }
            let point = WirePoint.with {
                $0.latitude = waypoint.place.latitude
                $0.longitude = waypoint.place.longitude
            }
            let coordinate = try WireError.inside("\(field).place") { () throws(WireError) in try Coordinate(point) }
            let kind = waypoint.kind == .unspecified ? .note : try Kind(waypoint.kind, field: "\(field).kind")
            let place = Place(name: waypoint.name, coordinate: coordinate)
            list.append(CourseWaypoint(name: waypoint.name, place: place, kind: kind, atMetres: 0))
        }
        return list
    }
}

extension WireStop {
    fileprivate init(_ stop: CourseStop) {
        self.init()
        // Without the address, so that lists of fifty fit.
        place = WirePlace(Place(name: stop.place.name, coordinate: stop.place.coordinate, placeID: stop.place.placeID))
        from = WireTimestamp(stop.from)
        to = WireTimestamp(stop.to)
    }
}

extension WireTrackPoint {
    /// A point of a course as a user sees it.
    package init(_ point: TrackPoint) {
        self.init()
        latitude = point.coordinate.latitude
        longitude = point.coordinate.longitude
        if let altitude = point.altitudeMetres { altitudeMetres = altitude }
        if let time = point.time { at = WireTimestamp(time) }
        segment = UInt32(clamping: point.segment)
    }
}

// MARK: - Enumerations

extension WireCourseSource.Value {
    package init(_ source: Course.Source) {
        switch source {
        case .promise: self = .promise
        case .recording: self = .recording
        case .file: self = .file
        case .copy: self = .copy
        case .operator: self = .operator
        }
    }
}

extension WireActivity.Value {
    package init(_ activity: Activity) {
        switch activity {
        case .walk: self = .walk
        case .run: self = .run
        case .ride: self = .ride
        case .drive: self = .drive
        case .other: self = .other
        }
    }
}

extension Activity {
    /// Throws ``WireError/invalid(field:)`` for an unspecified or unknown value.
    package init(_ wire: WireActivity.Value, field: String) throws(WireError) {
        guard let activity = Self.allCases.first(where: { WireActivity.Value($0) == wire }) else {
            throw .invalid(field: field)
        }
        self = activity
    }
}

extension WireWaypointKind.Value {
    fileprivate init(_ kind: CourseWaypoint.Kind) {
        switch kind {
        case .start: self = .start
        case .via: self = .via
        case .end: self = .end
        case .note: self = .note
        }
    }
}

extension CourseWaypoint.Kind {
    /// Throws ``WireError/invalid(field:)`` for an unknown value.
    fileprivate init(_ wire: WireWaypointKind.Value, field: String) throws(WireError) {
        guard let kind = Self.allCases.first(where: { WireWaypointKind.Value($0) == wire }) else {
            throw .invalid(field: field)
        }
        self = kind
    }
}
