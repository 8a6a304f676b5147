internal import PromisedAccess
package import PromisedDomain
internal import PromisedFormats
package import PromisedJournal
package import PromisedStore

/// A file format for courses.
package enum CourseFormat: String, Hashable, Sendable, CaseIterable {
    case gpx
    /// GeoJSON (RFC 7946) with times in `coordTimes`.
    case geoJSON

    package var contentType: String {
        switch self {
        case .gpx: "application/gpx+xml"
        case .geoJSON: "application/geo+json"
        }
    }
}

/// Exports courses as files.
package struct CourseFiles: Sendable {
    /// The creator named in the files.
    private static let creator = "promised"

    private let store: CourseStore
    private let files: Files
    private let work: CourseWork

    package init(store: some HasCourses, files: Files, work: CourseWork) {
        self.store = store.courses
        self.files = files
        self.work = work
    }

    /// Exports a course as the user sees it; the user's own with all recorded points. The server keeps the file for a
    /// day, or until the user deletes a course.
    ///
    /// - Throws: `courseNotFound`; `unavailable` while the disk is too full or too much work waits.
    package func export(_ id: CourseID, as format: CourseFormat, by userID: UserID) async throws -> StoredFile {
        guard let course = try await store.course(id, seenBy: userID),
            let track = try await store.track(of: id, seenBy: userID)
        else { throw Refusal.courseNotFound }
        let bytes = try await work.run(inTurnOf: userID) { CourseFiles.bytes(of: course, track, as: format) }
        guard let bytes else { throw ApplicationError.broken }
        return try await files.exports.keep(bytes, format.contentType, for: userID)
    }

    /// The content of the file; nil if one of its numbers cannot be written.
    static func bytes(of course: Course, _ track: CourseTrack, as format: CourseFormat) -> [UInt8]? {
        switch format {
        case .gpx: return gpx(of: course, track).reduce(into: []) { $0 += $1 }
        case .geoJSON: return (try? document(of: course, track).geoJSON()).map { Array($0.utf8) }
        }
    }

    /// The GPX file in pieces of about 64 KiB, generated lazily.
    static func gpx(of course: Course, _ track: CourseTrack) -> some Sequence<[UInt8]> {
        document(of: course, track).chunks(creator: creator)
    }

    private static func document(of course: Course, _ track: CourseTrack) -> GPXDocument {
        GPXDocument(course, track.isOwn ? track.raw : track.seen)
    }
}

extension GPXDocument {
    /// A course with its visible way.
    init(_ course: Course, _ way: PromisedJournal.Track) {
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
