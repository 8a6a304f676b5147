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

    @Test(
        .proves("createFolder", "updateFolder", "deleteFolder", "listFolders", "folder.not-found"),
        .proves("folder.title-taken", "folder.not-empty", "course.stale-version"),
        arguments: WireCodec.allCases
    )
    func `creates folders once, renames, lists and deletes them`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let rides = try await ada.client.createFolder(key: "1", title: "Rides", emoji: "🚲")
                #expect(rides.version == 1 && rides.title == "Rides" && rides.emoji == "🚲" && rides.courses == 0)
                #expect(try await ada.client.createFolder(key: "1", title: "Rides", emoji: "🚲") == rides)
                let other = WireCreateFolder.with { ($0.key, $0.title) = ("1", "Other") }
                #expect(await ada.refusal(.createFolder(other)) == .requestKeyReused)
                #expect(try await ada.client.createFolder(key: "2").title == "New folder")
                let taken = WireCreateFolder.with { ($0.key, $0.title) = ("3", "RIDES") }
                #expect(await ada.refusal(.createFolder(taken)) == .folderTitleTaken)
                #expect(try await bea.client.createFolder(key: "1", title: "Rides").folderID != rides.folderID)
                let walks = try await ada.client.updateFolder(folderID: rides.folderID, version: 1, title: "Walks")
                #expect(walks.version == 2 && walks.title == "Walks" && walks.emoji == "🚲")
                let stale = WireUpdateFolder.with { ($0.folderID, $0.version) = (rides.folderID, 1) }
                #expect(await ada.refusal(.updateFolder(stale)) == .courseStaleVersion)
                let named = WireUpdateFolder.with {
                    ($0.folderID, $0.version, $0.title) = (rides.folderID, 2, "New folder")
                }
                #expect(await ada.refusal(.updateFolder(named)) == .folderTitleTaken)
                #expect(await bea.refusal(.updateFolder(stale)) == .folderNotFound)
                _ = try await ada.course(in: rides.folderID)
                #expect(try await ada.client.listFolders().folders.map(\.title) == ["Walks", "New folder"])
                let full = WireDeleteFolder.with { $0.folderID = rides.folderID }
                #expect(await bea.refusal(.deleteFolder(full)) == .folderNotFound)
                #expect(await ada.refusal(.deleteFolder(full)) == .folderNotEmpty)
                try await ada.client.deleteFolder(folderID: rides.folderID, withCourses: true)
                #expect(try await ada.client.listFolders().folders.map(\.title) == ["New folder"])
                #expect(try await ada.client.listCourses(list: .mine).courses.isEmpty)
            }
        }
    }

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
                // Out again: the points of the file.
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
        .proves("17.9", "getCourse", "getTrack", "listCourses", "copyCourse", "shareCourse", "exportCourse"),
        .proves("courseShared", "course.not-found"),
        .defends("wrong-audience"),
        arguments: [WireAudience.Value.private, .friends, .people]
    )
    func `only the audience sees a course and its photos, without its ends`(
        audience: WireAudience.Value
    ) async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cem", "Dee") { ada, bea, cem, dee in
                // Bea is chosen, Cem is another friend, Dee is a stranger.
                try await ada.befriend(bea)
                try await ada.befriend(cem)
                var course = try await ada.course()
                let photo = try await ada.upload(.picture)
                course = try await ada.client.updateCourse(
                    .with {
                        ($0.courseID, $0.version) = (course.courseID, 1)
                        $0.photos = [.with { $0.fileID = photo.fileID }]
                    }
                )
                let chosen = audience == .people ? [bea.id] : []
                let shared = try await ada.client.shareCourse(
                    courseID: course.courseID,
                    audience: audience,
                    userIds: chosen,
                    hideMetres: 300
                )
                #expect(
                    shared.audience == audience && shared.people.map(\.userID) == chosen && shared.hideMetres == 300
                )
                func expect(_ person: Person, sees: Bool, _ comment: Comment) async throws {
                    let id = course.courseID
                    let refusal: ErrorCode? = sees ? nil : .courseNotFound
                    #expect(await person.refusal(.getCourse(.with { $0.courseID = id })) == refusal, comment)
                    #expect(await person.refusal(.getTrack(.with { $0.courseID = id })) == refusal, comment)
                    let copy = WireCopyCourse.with { ($0.key, $0.courseID) = (UUID().uuidString, id) }
                    #expect(await person.refusal(.copyCourse(copy)) == refusal, comment)
                    let export = WireExportCourse.with { ($0.courseID, $0.format) = (id, .gpx) }
                    #expect(await person.refusal(.exportCourse(export)) == refusal, comment)
                    #expect(await person.refusal(.getShareText(.with { $0.courseID = id })) == refusal, comment)
                    let readable = await person.refusal(.readFile(.with { $0.fileID = photo.fileID }))
                    #expect(readable == (sees ? nil : .fileNotFound), comment)
                    guard person.id != ada.id else { return }
                    let listed = try await person.client.listCourses(list: .shared, userID: ada.id).courses
                    #expect(listed.map(\.courseID) == (sees ? [id] : []), comment)
                    guard let seen = listed.first else { return }
                    #expect(seen.user.nickname == "Ada" && seen.folderID.isEmpty && !seen.hasStartedAt, comment)
                    #expect(seen.hideMetres == 0 && seen.people.isEmpty && seen.stops.isEmpty, comment)
                    let points = try await person.client.getTrack(courseID: id).points
                    #expect(!points.isEmpty && points.allSatisfy { !$0.hasAt }, comment)
                    for end in [UploadSample.start, UploadSample.end(of: 60)] {
                        let nearest = points.map { point in
                            Coordinate(latitude: point.latitude, longitude: point.longitude).distanceMetres(to: end)
                        }.min()
                        #expect(try #require(nearest) > 300, comment)
                    }
                }
                try await expect(ada, sees: true, "the user")
                try await expect(bea, sees: audience != .private, "a chosen friend")
                try await expect(cem, sees: audience == .friends, "another friend")
                try await expect(dee, sees: false, "a stranger")
                if audience == .people { await bea.wait { $0.contains { $0.what?.sharedCourse != nil } } }
                _ = try await ada.client.removeFriend(userID: bea.id)
                try await expect(bea, sees: false, "a former friend")
                _ = try await ada.client.blockUser(userID: cem.id)
                try await expect(cem, sees: false, "a blocked friend")
            }
        }
    }

    @Test(.proves("17.9", "getCourse", "course.not-found"))
    func `a promise shows its owner's course to its participants`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cem") { ada, bea, cem in
                let course = try await ada.course()
                let promise = try await ada.promise(with: [bea], at: world.now + .hours(3)) {
                    $0.courseID = course.courseID
                }
                #expect(promise.courseID == course.courseID)
                let get = WireRequest.getCourse(.with { $0.courseID = course.courseID })
                #expect(await bea.refusal(get) == nil)
                #expect(await cem.refusal(get) == .courseNotFound)
                let gone = WireUpdatePromise.with {
                    ($0.promiseID, $0.version, $0.courseID) = (promise.promiseID, promise.version, Self.nowhere)
                }
                #expect(await ada.refusal(.updatePromise(gone)) == .courseNotFound)
                var without = gone
                without.courseID = ""
                let changed = try await ada.client.updatePromise(without).promise
                #expect(changed.courseID.isEmpty)
                #expect(await bea.refusal(get) == .courseNotFound)
                // Another user's course counts as unknown.
                let theirs = try await bea.course()
                let create = WireCreatePromise.sample(meetsAt: world.now + .hours(3))
                var carrying = create
                carrying.courseID = theirs.courseID
                #expect(await ada.refusal(.createPromise(carrying)) == .courseNotFound)
            }
        }
    }

    @Test(arguments: [false, true])
    func `deleting a course removes it from the promise at once`(withFolder: Bool) async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let course = try await ada.course()
                let promise = try await ada.promise(with: [bea], at: world.now + .hours(3)) {
                    $0.courseID = course.courseID
                }
                let get = WireRequest.getPromise(.with { $0.promiseID = promise.promiseID })
                let before = try await bea.client.call(get)
                if withFolder {
                    try await ada.client.deleteFolder(folderID: course.folderID, withCourses: true)
                } else {
                    try await ada.client.deleteCourse(courseID: course.courseID)
                }
                let after = try await bea.client.call(get)
                guard case .promise(let carrying) = before, case .promise(let bare) = after else {
                    throw ClientError.unexpectedReply
                }
                #expect(carrying.promise.courseID == course.courseID && bare.promise.courseID.isEmpty)
                #expect(bare.promise.version == carrying.promise.version)
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
}

extension CourseConversationTests {
    private static let patient: @Sendable (inout ServerSettings) -> Void = { settings in
        (settings.limits.requestRate, settings.limits.requestBurst) = (1_000, 1_000)
    }

    @Test(.proves("folder.limit")) func `a user has at most 200 folders`() async throws {
        try await ServerWorld.with(configure: Self.patient) { world in
            try await world.with("Ada") { people in
                for number in 1...CourseLimits.folders { _ = try await people[0].client.createFolder(key: "\(number)") }
                #expect(await people[0].refusal(.createFolder(.with { $0.key = "more" })) == .folderLimit)
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

extension WireEvent.OneOf_What {
    /// The course of an event that shares one.
    var sharedCourse: WireCourse? { if case .courseShared(let shared) = self { shared.course } else { nil } }
}

extension UploadSample {
    /// Where ``way(points:)`` begins.
    static let start = Coordinate(latitude: 37.5, longitude: 127)

    /// Where it ends.
    static func end(of points: Int) -> Coordinate {
        Coordinate(latitude: 37.5 + Double(points - 1) * 20 / 111_195, longitude: 127)
    }

    /// A file of a way to the north, a point each 20 m and 5 s, with a way-point, and a track without points.
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
