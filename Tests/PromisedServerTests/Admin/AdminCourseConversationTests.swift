import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedServer

@Suite("Administration of recommended courses", .timeLimit(.minutes(2)))
struct AdminCourseConversationTests {
    private static let nowhere = "01940000-0000-7000-8000-000000000001"

    @Test(.proves("admin"), arguments: WireCodec.allCases)
    func `creates a public course from a file in pieces, and removes it`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                try await world.administered { admin, _ async throws in
                    let file = UploadSample.way(points: 60).bytes
                    let pieces = Self.pieces(of: file, bytes: 1_000)
                    var made: WireAdminCourse?
                    for (number, piece) in pieces.enumerated() {
                        let reply = try await admin.take(piece)
                        #expect(reply.offset == piece.offset + Double(piece.data.count))
                        #expect(reply.hasCourse == (number == pieces.count - 1))
                        // Again: the same.
                        #expect(try await admin.take(piece) == reply)
                        if reply.hasCourse { made = reply.course }
                    }
                    let course = try #require(made)
                    #expect(course.title == "To the pier and back" && course.region == "KR-11/종로구")
                    #expect(course.sourceName == "Seoul" && course.licence == "KOGL 1" && course.activity == .walk)
                    #expect(course.points == 60 && abs(course.distanceMetres - 59 * 20) < 12)
                    #expect(try await admin.courses() == [course])
                    try await Self.expectAudit(admin, "importRecommendedCourse", course, "To the pier and back")
                    let seen = try await ada.client.listCourses(list: .recommended).courses
                    #expect(seen.map(\.courseID) == [course.courseID] && seen[0].source == .operator)
                    #expect(seen[0].title == course.title && seen[0].attribution == "Seoul, KOGL 1")
                    #expect(seen[0].memo == "https://example.org/pier")
                    #expect(seen[0].waypoints.map(\.name) == ["The bridge"])
                    #expect(!seen[0].hasUser && !seen[0].hasStartedAt && seen[0].folderID.isEmpty)
                    let track = try await ada.client.getTrack(courseID: course.courseID)
                    #expect(track.points.count == 60 && track.points.allSatisfy { !$0.hasAt })
                    let preview = WireGetTrack.with { ($0.courseID, $0.hideMetres) = (course.courseID, 0) }
                    #expect(await ada.refusal(.getTrack(preview)) == .courseNotFound)
                    let remove = WireAdminRemoveRecommendedCourse.with { $0.courseID = course.courseID }
                    #expect(try await admin.adminRefusal(.removeRecommendedCourse(remove)) == nil)
                    try await Self.expectAudit(admin, "removeRecommendedCourse", course, "")
                    let missing = AdminRefusal(.courseNotFound, "courseId")
                    #expect(try await admin.adminRefusal(.removeRecommendedCourse(remove)) == missing)
                    #expect(try await admin.courses().isEmpty)
                    let get = WireGetCourse.with { $0.courseID = course.courseID }
                    #expect(await ada.refusal(.getCourse(get)) == .courseNotFound)
                }
            }
        }
    }

    @Test func `does not remove a user's course`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                let course = try await people[0].course()
                try await world.administered { admin, _ async throws in
                    let remove = WireAdminRemoveRecommendedCourse.with { $0.courseID = course.courseID }
                    let missing = AdminRefusal(.courseNotFound, "courseId")
                    #expect(try await admin.adminRefusal(.removeRecommendedCourse(remove)) == missing)
                    #expect(try await people[0].client.listCourses(list: .mine).courses.count == 1)
                    #expect(try await admin.courses().isEmpty)
                }
            }
        }
    }

    @Test func `rejects pieces out of order and different content`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, connect async throws in
                let pieces = Self.pieces(of: UploadSample.way(points: 60).bytes, bytes: 2_000)
                let unknown = AdminRefusal(.courseNotFound, "key")
                #expect(try await admin.refusal(of: pieces[1]) == unknown)
                _ = try await admin.take(pieces[0])
                #expect(try await admin.refusal(of: pieces[2]) == AdminRefusal(.fileMismatch, "offset"))
                var other = pieces[0]
                other.data[7] ^= 1
                #expect(try await admin.refusal(of: other) == AdminRefusal(.requestKeyReused, "data"))
                other = pieces[1]
                other.title = "Another"
                #expect(try await admin.refusal(of: other) == AdminRefusal(.requestKeyReused))
                other = pieces[1]
                other.data = Data(repeating: 32, count: 45_000)
                #expect(try await admin.refusal(of: other) == AdminRefusal(.fileMismatch, "offset"))
                // It is unchanged and unknown to other administrators.
                #expect(try await admin.take(pieces[1]).offset == 4_000)
                let second = try await connect()
                try await second.helloAsAdministrator(try world.adminSecret())
                #expect(try await second.refusal(of: pieces[2]) == unknown)
                // Another key replaces it.
                other = pieces[0]
                other.key = "other"
                #expect(try await admin.take(other).offset == 2_000)
                #expect(try await admin.refusal(of: pieces[2]) == unknown)
                #expect(try await admin.courses().isEmpty)
            }
        }
    }

    @Test func `rejects a file without exactly one course, and accepts it again`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                func track(_ points: Int) -> String {
                    let points = (0..<points).map { "<trkpt lat=\"37.50\($0)\" lon=\"127\"/>" }
                    return "<trk><trkseg>\(points.joined())</trkseg></trk>"
                }
                func gpx(_ tracks: String) -> String { "<gpx version=\"1.1\">\(tracks)</gpx>" }
                let malformed = AdminRefusal(.trackMalformed, "data")
                let files: [(text: String, refusal: AdminRefusal?)] = [
                    ("<html/>", malformed), (gpx(track(3)) + "<", malformed), (gpx(track(5) + track(5)), malformed),
                    (gpx(track(1)), AdminRefusal(.courseTooShort, "data")), (gpx(track(5)), nil),
                ]
                for (text, refusal) in files {
                    let piece = try #require(Self.pieces(of: Data(text.utf8), bytes: 45_000).first)
                    #expect(try await admin.refusal(of: piece) == refusal, "\(text)")
                }
                #expect(try await admin.courses().map(\.points) == [5])
            }
        }
    }

    @Test(
        .proves("12.10"),
        arguments: [
            ("region", "KR-11/a/b"), ("region", " / "), ("url", "ftp://example.org"), ("url", "example.org"),
            ("url", "https://no place"), ("url", "http://DGEMC"), ("url", "https://ada@example.org"),
            ("title", " "), ("sourceName", ""), ("licence", ""), ("key", ""),
        ]
    )
    func `checks texts before storing`(field: String, text: String) async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                var piece = try #require(Self.pieces(of: UploadSample.way(points: 9).bytes, bytes: 45_000).first)
                switch field {
                case "region": piece.region = text
                case "url": piece.url = text
                case "title": piece.title = text
                case "sourceName": piece.sourceName = text
                case "licence": piece.licence = text
                default: piece.key = text
                }
                #expect(try await admin.refusal(of: piece) == AdminRefusal(.requestInvalid, field))
                piece.bytes = 16 * 1_048_576 + 1
                #expect(try await admin.refusal(of: piece) == AdminRefusal(.requestInvalid, field))
                #expect(try await admin.courses().isEmpty)
            }
        }
    }

    @Test func `accepts files of 16 MiB, and exempts their pieces from the request rate`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                var piece = try #require(Self.pieces(of: UploadSample.way(points: 9).bytes, bytes: 100).first)
                piece.bytes = 16 * 1_048_576 + 1
                #expect(try await admin.refusal(of: piece) == AdminRefusal(.fileTooLarge))
                piece.bytes = 16 * 1_048_576
                for _ in 0..<200 { #expect(try await admin.take(piece).offset == 100) }
            }
        }
    }

    @Test func `lists the courses in pages`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                for number in 1...5 {
                    var piece = try #require(Self.pieces(of: UploadSample.way(points: 9).bytes, bytes: 45_000).first)
                    (piece.key, piece.title) = ("\(number)", "Course \(number)")
                    #expect(try await admin.take(piece).hasCourse)
                }
                var (titles, cursor): ([String], String?) = ([], nil)
                repeat {
                    let list = WireAdminListRecommendedCourses.with {
                        $0.limit = 2
                        if let cursor { $0.cursor = cursor }
                    }
                    guard case .courses(let page) = try await admin.admin(.listRecommendedCourses(list)) else {
                        throw Device.NoReply()
                    }
                    titles += page.courses.map(\.title)
                    cursor = page.cursor.isEmpty ? nil : page.cursor
                } while cursor != nil
                #expect(Set(titles) == Set((1...5).map { "Course \($0)" }) && titles.count == 5)
                let invalid = WireAdminListRecommendedCourses.with { $0.cursor = "x" }
                let refusal = AdminRefusal(.requestInvalid, "cursor")
                #expect(try await admin.adminRefusal(.listRecommendedCourses(invalid)) == refusal)
            }
        }
    }

    @Test(.proves("admin"), arguments: WireCodec.allCases)
    func `counts files, recordings, courses and exports`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                _ = try await ada.upload(.picture)
                _ = try await bea.course()
                _ = try await bea.client.startRecording(key: "1", activity: .walk)
                try await world.administered { admin, _ async throws in
                    let piece = try #require(Self.pieces(of: UploadSample.way(points: 9).bytes, bytes: 45_000).first)
                    _ = try await admin.take(piece)
                    guard case .fileStatistics(let found) = try await admin.admin(.getFileStatistics(.init())) else {
                        throw Device.NoReply()
                    }
                    #expect(found.files.map(\.kind) == [.photo, .track, .export, .picture])
                    #expect(found.files[0].count == 1 && found.files[0].bytes > 0 && found.files[2].count == 0)
                    #expect(found.uploads == 0 && found.freeBytes > 0 && found.exports == 0)
                    #expect(found.recordings.map(\.count) == [1, 0, 0])
                    #expect(found.courses.filter { $0.count > 0 }.map(\.source) == [.file, .operator])
                    #expect(found.points == 69)
                    guard case .stats(let stats) = try await admin.admin(.getStats(.init())) else {
                        throw Device.NoReply()
                    }
                    #expect(stats.files == found.files.reduce(0) { $0 + $1.count } && stats.recordings == 1)
                    #expect(stats.fileBytes == found.files.reduce(0) { $0 + $1.bytes })
                    #expect(stats.courses == 2 && stats.exports == 0)
                }
            }
        }
    }

    // MARK: - Pieces

    /// The forms with which an administrator sends a file, `bytes` at a time.
    private static func pieces(of file: Data, bytes: Int) -> [WireAdminImportRecommendedCourse] {
        stride(from: 0, to: file.count, by: bytes).map { start in
            WireAdminImportRecommendedCourse.with {
                ($0.key, $0.title, $0.region) = ("k1", "To the pier and back", "KR-11/종로구")
                ($0.sourceName, $0.licence, $0.activity) = ("Seoul", "KOGL 1", .walk)
                ($0.url, $0.bytes, $0.offset) = ("https://example.org/pier", Double(file.count), Double(start))
                $0.data = Data(file.dropFirst(start).prefix(bytes))
            }
        }
    }

    private static func expectAudit(
        _ admin: Device,
        _ action: String,
        _ course: WireAdminCourse,
        _ detail: String
    ) async throws {
        let newest = try #require(try await admin.audit().first)
        #expect(newest.action == action && newest.subject == course.courseID && newest.detail == detail)
    }
}

extension Device {
    /// Sends a piece of a course's file.
    fileprivate func take(_ piece: WireAdminImportRecommendedCourse) async throws -> WireAdminCourseImport {
        guard case .courseImport(let reply) = try await admin(.importRecommendedCourse(piece)) else { throw NoReply() }
        return reply
    }

    /// Why a piece of a course's file is refused; nil if it is accepted.
    fileprivate func refusal(of piece: WireAdminImportRecommendedCourse) async throws -> AdminRefusal? {
        try await adminRefusal(.importRecommendedCourse(piece))
    }

    /// The recommended courses.
    fileprivate func courses() async throws -> [WireAdminCourse] {
        guard case .courses(let page) = try await admin(.listRecommendedCourses(.init())) else { throw NoReply() }
        return page.courses
    }
}
