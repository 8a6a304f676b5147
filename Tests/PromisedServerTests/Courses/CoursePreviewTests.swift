import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Previews of courses over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct CoursePreviewTests {
    private static let nowhere = "01940000-0000-7000-8000-000000000001"
    private static let distances: [Int32] = [0, 1, 50, 199, 200, 201, 400, 700, 1_000]

    private static let patient: @Sendable (inout ServerSettings) -> Void = { settings in
        (settings.limits.requestRate, settings.limits.requestBurst) = (1_000, 1_000)
    }

    /// Ways of different forms, with a point each 20 m.
    enum Shape: CaseIterable, Sendable {
        /// 1,180 m to the north.
        case straight
        /// 2 km to the north and, in a second segment, back beside it.
        case outAndBack
        /// To the north, back to within 40 m of the start, and to the east.
        case pastTheDoor
        /// Long enough to be stored as shown, in two pages.
        case long
    }

    @Test(.proves("17.8", "getTrack"), arguments: WireCodec.allCases, Shape.allCases)
    func `a preview equals a friend's view with that distance hidden`(
        codec: WireCodec,
        shape: Shape
    ) async throws {
        try await ServerWorld.with(codec: codec, configure: Self.patient) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await ada.befriend(bea)
                let points = shape.points
                let course = try await ada.course(from: points)
                let id = course.courseID
                let whole = try await ada.pages(of: id)
                var sizes: [Int] = []
                for metres in Self.distances {
                    let counts = [nil, 2, 40] as [Int32?]
                    let before = try await ada.client.getCourse(courseID: id)
                    var previews: [[WireTrack]] = []
                    for count in counts { previews.append(try await ada.pages(of: id, count, hiding: metres)) }
                    // It changed nothing.
                    #expect(try await ada.client.getCourse(courseID: id) == before)
                    #expect(try await ada.pages(of: id) == whole)
                    _ = try await ada.client.shareCourse(
                        courseID: id,
                        audience: .friends,
                        userIds: [],
                        hideMetres: metres
                    )
                    for (count, preview) in zip(counts, previews) {
                        let seen = try await bea.pages(of: id, count)
                        let comment: Comment = "\(metres) m, \(count.map(String.init) ?? "all") points"
                        #expect(preview == seen, comment)
                        // The same while others see it, when it may be stored.
                        #expect(try await ada.pages(of: id, count, hiding: metres) == seen, comment)
                    }
                    sizes.append(previews[0].reduce(0) { $0 + $1.points.count })
                }
                #expect(sizes[0] == points.count && sizes.max() == sizes[0] && Set(sizes).count > 3, "\(sizes)")
            }
        }
    }

    @Test(.proves("17.8", "getTrack"), .defends("hidden-ends-probed"), arguments: WireCodec.allCases)
    func `previews a course only for its user`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Cem") { ada, bea, cem in
                let id = try await ada.course().courseID
                func preview(_ id: String) -> WireRequest {
                    .getTrack(.with { ($0.courseID, $0.hideMetres) = (id, 200) })
                }
                let track = WireRequest.getTrack(.with { $0.courseID = id })
                let nothing = try await bea.problem(preview(Self.nowhere))
                #expect(nothing?.code == ErrorCode.courseNotFound.rawValue)
                _ = try await ada.promise(with: [bea], at: world.now + .hours(3)) { $0.courseID = id }
                #expect(try await bea.problem(track) == nil)
                #expect(try await bea.problem(preview(id)) == nothing, "a participant")
                _ = try await ada.client.shareCourse(courseID: id, audience: .friends, userIds: [], hideMetres: 200)
                try await ada.befriend(cem)
                #expect(try await cem.problem(track) == nil)
                #expect(try await cem.problem(preview(id)) == nothing, "a friend")
                // A copy belongs to the friend who made it.
                _ = try await ada.client.shareCourse(courseID: id, audience: .friends, userIds: [], hideMetres: 50)
                let copy = try await cem.client.copyCourse(key: "1", courseID: id).courseID
                #expect(try await cem.problem(preview(copy)) == nil)
                #expect(try await ada.problem(preview(copy)) == nothing, "the user whose course was copied")
                #expect(try await ada.problem(preview(id)) == nil)
                try await ada.client.deleteCourse(courseID: id)
                #expect(try await ada.problem(preview(id)) == nothing, "after its end")
            }
        }
    }

    @Test(.proves("getTrack"), arguments: WireCodec.allCases)
    func `a preview has the limits of a track`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec, configure: Self.patient) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let id = try await ada.course().courseID
                func field(
                    _ id: String,
                    _ metres: Int32,
                    _ change: (inout WireGetTrack) -> Void = { _ in }
                ) async throws -> String? {
                    var request = WireGetTrack.with { ($0.courseID, $0.hideMetres) = (id, metres) }
                    change(&request)
                    guard let problem = try await ada.problem(.getTrack(request)) else { return nil }
                    #expect(problem.code == ErrorCode.requestInvalid.rawValue)
                    return problem.field
                }
                for metres in [.min, -1, 1_001, .max] as [Int32] {
                    for course in [id, Self.nowhere] {
                        #expect(try await field(course, metres) == "hideMetres", "\(metres)")
                    }
                }
                for metres in [0, 1_000] as [Int32] { #expect(try await field(id, metres) == nil) }
                #expect(try await field(id, 200) { $0.maxPoints = 1 } == "maxPoints")
                #expect(try await field(id, 200) { $0.maxPoints = 5_001 } == "maxPoints")
                #expect(try await field(id, 200) { $0.cursor = "x" } == "cursor")
                // The end is that of the visible part, and a completely hidden way has none.
                let seen = try await ada.client.getTrack(courseID: id, hideMetres: 200).points.count
                #expect((1..<60).contains(seen))
                #expect(try await field(id, 200) { $0.cursor = "\(seen - 1)" } == nil)
                #expect(try await field(id, 200) { $0.cursor = "\(seen)" } == "cursor")
                #expect(try await ada.client.getTrack(courseID: id, hideMetres: 1_000) == WireTrack())
                #expect(try await field(id, 1_000) { $0.cursor = "1" } == "cursor")
            }
        }
    }
}

extension CoursePreviewTests.Shape {
    fileprivate struct Point {
        var northMetres: Double
        var eastMetres = 0.0
        var altitude = 0.0
        var segment = 0
    }

    fileprivate var points: [Point] {
        switch self {
        case .straight: Self.line(60) { Point(northMetres: 20 * $0) }
        case .outAndBack:
            Self.line(101) { Point(northMetres: 20 * $0, altitude: 30 + $0 / 10) }
                + Self.line(101) { Point(northMetres: 2_000 - 20 * $0, eastMetres: 15, altitude: 40, segment: 1) }
        case .pastTheDoor:
            Self.line(75) { Point(northMetres: 20 * $0) }
                + Self.line(73) { Point(northMetres: 1_500 - 20 * $0, eastMetres: 10) }
                + Self.line(120) { Point(northMetres: 40, eastMetres: 10 + 20 * $0) }
        case .long:
            Self.line(2_100) { Point(northMetres: 18 * $0, eastMetres: 5 * $0.truncatingRemainder(dividingBy: 20)) }
        }
    }

    private static func line(_ count: Int, _ point: (Double) -> Point) -> [Point] {
        (0..<count).map { point(Double($0)) }
    }
}

extension UploadSample {
    /// A file of a way through points, with 5 s between each two.
    fileprivate init(_ points: [CoursePreviewTests.Shape.Point]) {
        let begin = Instant(milliseconds: 1_795_226_400_000)
        var text = ""
        for (number, point) in points.enumerated() {
            if number > 0, point.segment != points[number - 1].segment { text += "</trkseg><trkseg>" }
            let latitude = String(format: "%.7f", 37.5 + point.northMetres / 111_195)
            let longitude = String(format: "%.7f", 127 + point.eastMetres / 88_217)
            let time = (begin + .seconds(Double(5 * number))).rfc3339
            text += "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"><ele>\(point.altitude)</ele>"
            text += "<time>\(time)</time></trkpt>"
        }
        let gpx = "<gpx version=\"1.1\" creator=\"test\"><trk><trkseg>\(text)</trkseg></trk></gpx>"
        self.init(kind: .track, bytes: Data(gpx.utf8))
    }
}

extension Person {
    /// A course through points.
    fileprivate func course(from points: [CoursePreviewTests.Shape.Point]) async throws -> WireCourse {
        let file = try await upload(UploadSample(points))
        let made = try await client.importCourse(key: UUID().uuidString, fileID: file.fileID)
        guard let course = made.courses.first else { throw ClientError.unexpectedReply }
        return course
    }

    /// All pages of a way.
    fileprivate func pages(
        of course: String,
        _ maxPoints: Int32? = nil,
        hiding hideMetres: Int32? = nil
    ) async throws -> [WireTrack] {
        var pages: [WireTrack] = []
        repeat {
            let page = try await client.getTrack(
                courseID: course,
                maxPoints: maxPoints,
                cursor: pages.last?.cursor,
                hideMetres: hideMetres
            )
            pages.append(page)
        } while pages.last?.cursor.isEmpty == false
        return pages
    }

    /// The error in reply to a request; nil without one.
    fileprivate func problem(_ request: WireRequest) async throws -> WireErrorReply? {
        do {
            _ = try await client.call(request)
            return nil
        } catch ClientError.refused(let reply) {
            return reply
        }
    }
}
