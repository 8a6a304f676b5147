internal import PromisedAccess
package import PromisedDomain
internal import PromisedFormats
package import PromisedStore

/// A format of files of courses.
package enum CourseFormat: String, Hashable, Sendable, CaseIterable {
    /// GPX 1.1.
    case gpx
    /// GeoJSON (RFC 7946) with times in `coordTimes`.
    case geoJSON

    /// The media type.
    package var contentType: String {
        switch self {
        case .gpx: "application/gpx+xml"
        case .geoJSON: "application/geo+json"
        }
    }
}

/// Makes files of courses.
package struct CourseFiles: Sendable {
    /// The program that files name as their creator.
    private static let creator = "promised"

    private let store: Store
    private let files: Files
    private let work: CourseWork

    /// The files of the courses in a store.
    package init(store: Store, files: Files, work: CourseWork) {
        self.store = store
        self.files = files
        self.work = work
    }

    /// Makes a file of a course as the user sees it: of their own with all points as they were recorded. The server keeps
    /// it for a day, or until the user deletes a course.
    ///
    /// - Throws: `courseNotFound`; `unavailable` while the disk is too full or too much work waits.
    package func export(_ id: CourseID, as format: CourseFormat, by userID: UserID) async throws -> StoredFile {
        guard let course = try await store.course(id, seenBy: userID),
            let track = try await store.track(of: id, seenBy: userID)
        else { throw Refusal.courseNotFound }
        let bytes = try await work.run(inTurnOf: userID) { CourseFiles.bytes(of: course, track, as: format) }
        guard let bytes else { throw ActError.broken }
        return try await files.keepExport(bytes, format.contentType, for: userID)
    }

    /// The content of the file; nil if a number of it cannot be written.
    static func bytes(of course: Course, _ track: CourseTrack, as format: CourseFormat) -> [UInt8]? {
        switch format {
        case .gpx: return gpx(of: course, track).reduce(into: []) { $0 += $1 }
        case .geoJSON: return (try? document(of: course, track).geoJSON()).map { Array($0.utf8) }
        }
    }

    /// The GPX file in pieces of some 64 KiB, which are made as they are asked for.
    static func gpx(of course: Course, _ track: CourseTrack) -> some Sequence<[UInt8]> {
        document(of: course, track).chunks(creator: creator)
    }

    private static func document(of course: Course, _ track: CourseTrack) -> GPXDocument {
        GPXDocument(course, track.isOwn ? track.raw : track.seen)
    }
}

extension GPXDocument {
    /// A course with the way that somebody sees.
    init(_ course: Course, _ way: PromisedDomain.Track) {
        let waypoints = course.waypoints.map { waypoint in
            Waypoint(coordinate: waypoint.place.coordinate, name: waypoint.name.isEmpty ? nil : waypoint.name)
        }
        let segments = way.segments.map { segment in
            way.points[segment].map {
                GPXPoint(coordinate: $0.coordinate, elevation: $0.altitudeMetres, time: $0.time)
            }
        }
        let memo = course.notes.memo
        let track = Track(name: course.notes.title, description: memo.isEmpty ? nil : memo, segments: segments)
        self.init(name: course.notes.title, waypoints: waypoints, tracks: [track])
    }
}
