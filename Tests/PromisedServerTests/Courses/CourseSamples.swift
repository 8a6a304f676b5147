import Foundation
import PromisedClient
import PromisedDomain
import PromisedFormats
import PromisedJournal
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

extension WireEvent.OneOf_What {
    /// The course of an event that shares one.
    var sharedCourse: WireCourse? { if case .courseShared(let shared) = self { shared.course } else { nil } }
}

extension UploadSample {
    /// The start of ``way(points:)``.
    static let start = Coordinate(latitude: 37.5, longitude: 127)

    /// Where it ends.
    static func end(of points: Int) -> Coordinate {
        Coordinate(latitude: 37.5 + Double(points - 1) * 20 / 111_195, longitude: 127)
    }

    /// A file of a way to the north with a point every 20 m and 5 s, a way-point, and a track without points.
    static func way(points: Int) -> UploadSample {
        let begin = Instant(milliseconds: 1_795_226_400_000)
        let text = (0..<points).map { number in
            let latitude = String(format: "%.7f", 37.5 + Double(number) * 20 / 111_195)
            let time = (begin + .seconds(Double(5 * number))).rfc3339
            return "<trkpt lat=\"\(latitude)\" lon=\"127.0000000\"><time>\(time)</time></trkpt>"
        }.joined()
        let waypoint = "<wpt lat=\"37.5050000\" lon=\"127.0000000\"><name>The bridge</name></wpt>"
        let track = "<trk><name>To the pier</name><trkseg>\(text)</trkseg></trk><trk><trkseg></trkseg></trk>"
        let gpx = "<gpx version=\"1.1\" creator=\"test\">\(waypoint)\(track)</gpx>"
        return UploadSample(kind: .track, bytes: Data(gpx.utf8))
    }
}

extension Person {
    /// A course of ``UploadSample/way(points:)``.
    func course(in folderID: String? = nil, points: Int = 60) async throws -> WireCourse {
        let file = try await upload(.way(points: points))
        let made = try await client.importCourse(key: UUID().uuidString, fileID: file.fileID, folderID: folderID)
        guard let course = made.courses.first else { throw ClientError.unexpectedReply }
        return course
    }
}
