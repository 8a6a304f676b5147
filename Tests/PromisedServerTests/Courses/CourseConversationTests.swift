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

@testable import PromisedSettings

@Suite("Courses over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct CourseConversationTests {
    private static let nowhere = "01940000-0000-7000-8000-000000000001"

    @Test(.proves("17.7"), arguments: WireCodec.allCases)
    func `imports a truncated compressed file as a course, with the position in the reply`(
        codec: WireCodec
    ) async throws {
        let compressed = try #require(
            Data(
                base64Encoded: """
                    H4sICAAAAAAAA3dheS5ncHgAndJBCsMgEAXQfU4hHkAdjaaCmbu4kFBq05BI2t6+idBVBYurGYZ5q//dtLzIHtbt+phHCgwourTe
                    0M3+HvDp347n7TxuYcpzSST6NFI1MK2FoCRmKw2z9uAhBlTC8XM6nv+x+3VQdFB1suhk1amiU1XXF11fdbrodNWZojNVNzTmcGnM
                    wbblAKItB4D/cuDfovJcY370G7sP1RXNTuYCAAA=
                    """,
                options: .ignoreUnknownCharacters
            )
        )
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                for (bytes, points, line) in [(compressed, 12, nil), (compressed.dropLast(45), 4, 5)]
                    as [(Data, UInt32, UInt32?)]
                {
                    let file = try await ada.upload(UploadSample(kind: .track, bytes: bytes))
                    #expect(file.contentType == "application/gzip")
                    let request = WireImportCourse.with { ($0.key, $0.fileID) = ("\(points)", file.fileID) }
                    guard case .courses(let courses) = try await ada.client.call(.importCourse(request)) else {
                        throw ClientError.unexpectedReply
                    }
                    #expect(courses.courses.map(\.statistics.points) == [points])
                    #expect((courses.hasBrokenOffAtLine ? courses.brokenOffAtLine : nil) == line)
                }
                let bomb = try await ada.upload(UploadSample(kind: .track, bytes: Data([0x1F, 0x8B, 8, 0xFF])))
                let request = WireImportCourse.with { ($0.key, $0.fileID) = ("damaged", bomb.fileID) }
                #expect(await ada.refusal(.importCourse(request)) == .trackMalformed)
            }
        }
    }

    @Test(
        .proves("importCourse", "getTrack", "updateCourse", "deleteCourse", "exportCourse", "course.stale-version"),
        arguments: WireCodec.allCases
    )
    func `imports courses from a file, edits, exports and deletes them`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let file = try await ada.upload(.way(points: 60))
                let request = WireImportCourse.with { ($0.key, $0.fileID, $0.activity) = ("1", file.fileID, .ride) }
                let made = try await ada.client.call(.importCourse(request))
                guard case .courses(let courses) = made else { throw ClientError.unexpectedReply }
                let course = try #require(courses.courses.first)
                #expect(courses.courses.count == 1 && courses.dropped == 1 && courses.cursor.isEmpty)
                #expect(course.title == "To the pier" && course.activity == .ride && course.source == .file)
                #expect(course.statistics.points == 60 && course.audience == .private && !course.hasUser)
                #expect(abs(course.statistics.distanceMetres - 59 * 20) < 12)
                #expect(course.statistics.durationMs == 59 * 5_000 && course.waypoints.map(\.name) == ["The bridge"])
                #expect(course.outlines.count == 1 && course.box.north > course.box.south && course.hideMetres == 200)
                let again = try await ada.client.call(.importCourse(request))
                guard case .courses(let same) = again else { throw ClientError.unexpectedReply }
                #expect(same.courses == courses.courses)
                let reused = WireImportCourse.with { ($0.key, $0.fileID) = ("2", file.fileID) }
                #expect(await ada.refusal(.importCourse(reused)) == .fileNotFound)
                // The complete way, and one of few points.
                let track = try await ada.client.getTrack(courseID: course.courseID)
                #expect(track.points.count == 60 && track.cursor.isEmpty && track.points.allSatisfy(\.hasAt))
                #expect(try await ada.client.getTrack(courseID: course.courseID, maxPoints: 2).points.count == 2)
                var change = WireUpdateCourse.with { ($0.courseID, $0.version) = (course.courseID, 1) }
                (change.title, change.memo, change.activity) = ("By the river", "Two\nlines", .walk)
                let photo = try await ada.upload(.picture)
                change.photos = [.with { ($0.fileID, $0.caption) = (photo.fileID, "Pier") }]
                change.waypoints = [.with { ($0.name, $0.place.latitude, $0.place.longitude) = ("Half", 37.505, 127) }]
                let changed = try await ada.client.updateCourse(change)
                #expect(changed.version == 2 && changed.title == "By the river" && changed.memo == "Two\nlines")
                #expect(changed.photos.map(\.caption) == ["Pier"] && changed.waypoints.map(\.name) == ["Half"])
                #expect(await ada.refusal(.updateCourse(change)) == .courseStaleVersion)
                // The exported points are those of the file.
                let out = try await ada.client.exportCourse(courseID: course.courseID, format: .gpx).file
                let given = try GPXFile([UInt8](UploadSample.way(points: 60).bytes))
                #expect(try GPXFile([UInt8](try await ada.read(out.fileID))).points == given.points)
                let json = try await ada.client.exportCourse(courseID: course.courseID, format: .geojson).file
                #expect(String(decoding: try await ada.read(json.fileID), as: UTF8.self).contains("coordTimes"))
                try await ada.client.deleteCourse(courseID: course.courseID)
                #expect(await ada.refusal(.getCourse(.with { $0.courseID = course.courseID })) == .courseNotFound)
                #expect(await ada.refusal(.readFile(.with { $0.fileID = photo.fileID })) == .fileNotFound)
            }
        }
    }

    @Test(
        .proves("saveCourse", "importCourse", "updateCourse", "deleteCourse", "shareCourse", "folder.not-found"),
        .proves("course.title-taken", "course.too-short", "course.too-early", "course.gone", "track.malformed")
    )
    func `rejects invalid courses`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let course = try await ada.course()
                let id = course.courseID
                func file(_ text: String) async throws -> WireImportCourse {
                    let file = try await ada.upload(UploadSample(kind: .track, bytes: Data(text.utf8)))
                    return .with { ($0.key, $0.fileID) = (UUID().uuidString, file.fileID) }
                }
                #expect(await ada.refusal(.importCourse(try await file("<html></html>"))) == .trackMalformed)
                let empty = try await file("<gpx version=\"1.1\"><trk><trkseg/></trk></gpx>")
                #expect(await ada.refusal(.importCourse(empty)) == .courseTooShort)
                var away = empty
                away.folderID = Self.nowhere
                away.fileID = try await ada.upload(.way(points: 9)).fileID
                #expect(await ada.refusal(.importCourse(away)) == .folderNotFound)
                let second = try await ada.course()
                #expect(second.title == "To the pier (2)")
                var change = WireUpdateCourse.with { ($0.courseID, $0.version) = (second.courseID, 1) }
                change.title = course.title
                #expect(await ada.refusal(.updateCourse(change)) == .courseTitleTaken)
                change.title = ""
                #expect(await ada.refusal(.updateCourse(change)) == .requestInvalid)
                change = .with { ($0.courseID, $0.version, $0.folderID) = (id, 1, Self.nowhere) }
                #expect(await ada.refusal(.updateCourse(change)) == .folderNotFound)
                change = .with { ($0.courseID, $0.version) = (id, 1) }
                change.photos = [.with { $0.fileID = Self.nowhere }]
                #expect(await ada.refusal(.updateCourse(change)) == .fileNotFound)
                #expect(await bea.refusal(.updateCourse(change)) == .courseNotFound)
                #expect(await bea.refusal(.deleteCourse(.with { $0.courseID = id })) == .courseNotFound)
                var share = WireShareCourse.with { ($0.courseID, $0.audience) = (id, .people) }
                #expect(await ada.refusal(.shareCourse(share)) == .requestInvalid)
                share.userIds = [bea.id]
                #expect(await ada.refusal(.shareCourse(share)) == .userNotFound)
                share = .with { ($0.courseID, $0.audience) = (id, .companions) }
                #expect(await ada.refusal(.shareCourse(share)) == .requestInvalid)
                share = .with { ($0.courseID, $0.audience, $0.hideMetres) = (id, .private, 1_001) }
                #expect(await ada.refusal(.shareCourse(share)) == .requestInvalid)
                share.hideMetres = 0
                #expect(await bea.refusal(.shareCourse(share)) == .courseNotFound)
                #expect(await ada.refusal(.exportCourse(.with { $0.courseID = id })) == .requestInvalid)
                #expect(await ada.refusal(.listCourses(.init())) == .requestInvalid)
                let track = WireGetTrack.with { ($0.courseID, $0.cursor) = (id, "x") }
                #expect(await ada.refusal(.getTrack(track)) == .requestInvalid)
                let save = WireSaveCourse.with { ($0.key, $0.promiseID) = ("1", Self.nowhere) }
                #expect(await ada.refusal(.saveCourse(save)) == .promiseNotFound)
                let promise = try await ada.promise(with: [bea], at: world.now + .hours(2))
                let early = WireSaveCourse.with { ($0.key, $0.promiseID) = ("1", promise.promiseID) }
                #expect(await ada.refusal(.saveCourse(early)) == .courseTooEarly)
                #expect(await ada.refusal(.cancelPromise(.with { $0.promiseID = promise.promiseID })) == nil)
                #expect(await ada.refusal(.saveCourse(early)) == .courseGone)
            }
        }
    }

    @Test func `moves a course only to the user's folder, under a free title and key`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let course = try await ada.course()
                let file = try await ada.upload(.way(points: 9)).fileID
                let once = WireImportCourse.with { ($0.key, $0.fileID) = ("1", file) }
                #expect(await ada.refusal(.importCourse(once)) == nil)
                let reused = WireImportCourse.with { ($0.key, $0.fileID, $0.activity) = ("1", file, .run) }
                #expect(await ada.refusal(.importCourse(reused)) == .requestKeyReused)
                // A copy of a course that is wholly hidden is too short.
                try await ada.befriend(bea)
                _ = try await ada.client.shareCourse(
                    courseID: course.courseID,
                    audience: .friends,
                    userIds: [],
                    hideMetres: 1_000
                )
                #expect(try await bea.client.getTrack(courseID: course.courseID).points.isEmpty)
                #expect(try await bea.client.getCourse(courseID: course.courseID).outlines.isEmpty)
                var copy = WireCopyCourse.with { ($0.key, $0.courseID) = ("1", course.courseID) }
                #expect(await bea.refusal(.copyCourse(copy)) == .courseTooShort)
                _ = try await ada.client.shareCourse(
                    courseID: course.courseID,
                    audience: .friends,
                    userIds: [],
                    hideMetres: 100
                )
                copy.folderID = Self.nowhere
                #expect(await bea.refusal(.copyCourse(copy)) == .folderNotFound)
                copy.clearFolderID()
                guard case .course(let copied) = try await bea.client.call(.copyCourse(copy)) else {
                    throw ClientError.unexpectedReply
                }
                #expect(copied.source == .copy && copied.title == course.title && !copied.hasUser)
                #expect(copied.statistics.distanceMetres < course.statistics.distanceMetres && !copied.hasStartedAt)
                #expect(try await bea.client.copyCourse(key: "1", courseID: course.courseID) == copied)
                copy.courseID = copied.courseID
                #expect(await bea.refusal(.copyCourse(copy)) == .requestKeyReused)
            }
        }
    }
}
