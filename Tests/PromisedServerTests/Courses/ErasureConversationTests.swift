import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// A minute after a deletion no file of the data directory contains its data; pictures are deleted before the reply.
@Suite("Erasure over a connection", .tags(.realTime), .timeLimit(.minutes(3)))
struct ErasureConversationTests {
    private static let patient: @Sendable (inout ServerSettings) -> Void = { $0.limits.requestBurst = 1_000 }

    // MARK: - Courses

    enum End: CaseIterable { case course, folder, discarded }

    @Test(.defends("remains-in-files"), arguments: End.allCases)
    func `erases a recorded course, its folder and an open recording completely`(end: End) async throws {
        try await ServerWorld.with(configure: Self.patient) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let photo = try await ada.upload(.picture)
                let open = try await ada.record(title: "An open title that nobody finds", at: world.now)
                let folder = try await ada.client.createFolder(key: "1", title: "A folder that nobody finds")
                let course = try await ada.finishRecording(with: photo, in: folder, at: world.now)
                _ = try await ada.client.exportCourse(courseID: course.courseID, format: .gpx)
                var traces = Trace.texts + Trace.start + [Trace.exported, UploadSample.picture.bytes.suffix(40)]
                for trace in traces { #expect(try world.files(with: trace) != [], "\(trace)") }
                switch end {
                case .course: try await ada.client.deleteCourse(courseID: course.courseID)
                case .folder: try await ada.client.deleteFolder(folderID: folder.folderID, withCourses: true)
                case .discarded: try await ada.client.discardRecording(recordingID: open)
                }
                if end != .discarded {
                    // The picture and the exported file were deleted before the reply.
                    #expect(try world.files(with: UploadSample.picture.bytes.suffix(40)) == [])
                    #expect(try world.keptFiles() == [])
                    #expect(await ada.refusal(.getTrack(.with { $0.courseID = course.courseID })) == .courseNotFound)
                }
                // Only the remaining rows exist.
                await world.service.cleanUp()
                let gone = end == .discarded ? "An open title" : "A memo of a course"
                #expect(try world.files(with: Data(gone.utf8)) == [])
                if end == .course { try await ada.client.deleteFolder(folderID: folder.folderID, withCourses: false) }
                if end == .discarded {
                    try await ada.client.deleteFolder(folderID: folder.folderID, withCourses: true)
                } else {
                    try await ada.client.discardRecording(recordingID: open)
                }
                await world.service.cleanUp()
                traces.append(Data("An open title that nobody finds".utf8))
                for trace in traces { #expect(try world.files(with: trace) == [], "\(trace)") }
            }
        }
    }

    // MARK: - Accounts

    @Test(.defends("remains-in-files"))
    func `a deleted account leaves only other users' data`() async throws {
        let short: (inout ServerSettings) -> Void = {
            Self.patient(&$0)
            ($0.window.after, $0.window.settle) = (.minutes(2), .seconds(1))
        }
        try await ServerWorld.withShortLead(configure: short) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let promiseID = try await ada.openPromise(with: [bea], in: world)
                for person in [ada, bea] {
                    _ = try await person.report(promiseID, seq: 1, metres: 0)
                    _ = try await person.client.checkIn(promiseID: promiseID)
                }
                let folder = try await ada.client.createFolder(key: "1", title: "A folder that nobody finds")
                let photo = try await ada.upload(.picture)
                _ = try await ada.finishRecording(with: photo, in: folder, at: world.now)
                _ = try await ada.record(title: "A title of a course that nobody finds", at: world.now)
                try await ada.keepVisit(at: world.now)
                let copy = try await bea.copyCourse(of: ada)
                let theirs = try await bea.upload(.picture)
                for person in [ada, bea] { await person.hears { $0.isResultFinal } }
                for person in [ada, bea] { await person.hears { $0.visitMade != nil } }
                let before = try await bea.client.getResult(promiseID: promiseID)
                _ = try await ada.client.exportMyData()
                await ada.hears { if case .exportReady = $0 { true } else { false } }
                let traces = Trace.texts + Trace.start + Trace.visits + [Data(ada.email.utf8)]
                for trace in traces { #expect(try world.files(with: trace) != [], "\(trace)") }
                try await ada.deleteAccount()
                // The pictures and the export were deleted before the reply.
                #expect(try world.keptFiles() == [theirs.fileID])
                await world.service.cleanUp()
                for trace in traces { #expect(try world.files(with: trace) == [], "\(trace)") }
                try await expectKept(by: bea, copy: copy, before, of: ada)
            }
        }
    }

    /// The friend has the result, a visit with a companion without a name, and the copy of a course.
    private func expectKept(by bea: Person, copy: WireCourse, _ before: WireResult, of ada: Person) async throws {
        let after = try await bea.client.getResult(promiseID: before.promiseID)
        #expect(after.rows.map(\.outcome) == before.rows.map(\.outcome) && after.rows.count == 2)
        #expect(after.rows.map(\.creditedAt) == before.rows.map(\.creditedAt))
        #expect(after.rows.filter(\.user.deleted).map(\.user.userID) == [ada.id])
        let visits = try await bea.client.listVisits(.init()).visits
        #expect(visits.map(\.promiseID) == [before.promiseID])
        #expect(visits.flatMap(\.companions).map(\.user.deleted) == [true])
        #expect(try await bea.client.getCourse(courseID: copy.courseID) == copy)
        #expect(try await bea.client.getTrack(courseID: copy.courseID).points.isEmpty == false)
    }
}

/// Bytes that occur in the data directory while the data of these tests exists.
private enum Trace {
    /// The start of the recorded way, north of the meetings of other tests.
    static let place = Coordinate(latitude: 37.556_123_456_789, longitude: 126.972_345_678_912)

    static let texts = [
        "A folder that nobody finds", "A title of a course that nobody finds", "A memo of a course that nobody finds",
        "A caption that nobody finds", "A bench that nobody finds",
    ]
    .map { Data($0.utf8) }

    static let visits = [
        "A title of a visit that nobody finds", "A memo of a visit that nobody finds", "Somebody that nobody finds",
    ]
    .map { Data($0.utf8) }

    /// The latitude in an exported file.
    static let exported = Data("37.5561235".utf8)

    /// The latitude as a number of a row and of packed points.
    static let start = [place.latitude.bitPattern.bigEndian, place.latitude.bitPattern.littleEndian].map { word in
        withUnsafeBytes(of: word) { Data($0) }
    }
}

extension Person {
    /// Records a way of 60 points that begins at ``Trace/place``.
    ///
    /// - Returns: the recording's id.
    fileprivate func record(title: String, at now: Instant) async throws -> String {
        let id = try await client.startRecording(key: UUID().uuidString, activity: .walk, title: title).recordingID
        let points = WireRecordedPoint.way(of: 60, until: now).map { point in
            var moved = point
            moved.latitude += Trace.place.latitude - 37.5
            moved.longitude = Trace.place.longitude
            return moved
        }
        var first = points[0]
        first.latitude = Trace.place.latitude
        _ = try await append([first] + points.dropFirst(), to: id, at: now)
        return id
    }

    /// Records a way and finishes it as a course with a photo, a memo and a way-point.
    fileprivate func finishRecording(
        with photo: WireStoredFile,
        in folder: WireFolder,
        at now: Instant
    ) async throws -> WireCourse {
        let id = try await record(title: "A title of a course that nobody finds", at: now)
        let course = try await client.finishRecording(
            recordingID: id,
            photos: [.with { ($0.fileID, $0.caption) = (photo.fileID, "A caption that nobody finds") }],
            folderID: folder.folderID,
            memo: "A memo of a course that nobody finds"
        )
        let (latitude, longitude) = (Trace.place.latitude, Trace.place.longitude)
        return try await client.updateCourse(
            .with {
                ($0.courseID, $0.version) = (course.courseID, course.version)
                $0.waypoints = [
                    .with {
                        $0.name = "A bench that nobody finds"
                        ($0.place.latitude, $0.place.longitude) = (latitude, longitude)
                    }
                ]
            }
        )
    }

    /// Creates a visit at ``Trace/place`` with a photo.
    fileprivate func keepVisit(at now: Instant) async throws {
        let photo = try await upload(.picture).fileID
        var request = WireCreateVisit.sample(at: now, title: "A title of a visit that nobody finds")
        (request.place.latitude, request.place.longitude) = (Trace.place.latitude, Trace.place.longitude)
        request.memo = "A memo of a visit that nobody finds"
        request.photos = [.with { $0.fileID = photo }]
        request.companions = [.with { $0.name = "Somebody that nobody finds" }]
        _ = try await client.createVisit(request)
    }

    /// Copies a course that another shares, as a friend.
    fileprivate func copyCourse(of other: Person) async throws -> WireCourse {
        let course = try await other.course()
        _ = try await other.client.shareCourse(
            courseID: course.courseID,
            audience: .friends,
            userIds: [],
            hideMetres: 200
        )
        return try await client.copyCourse(key: "1", courseID: course.courseID)
    }
}

extension ServerWorld {
    /// The files of the data directory that contain some bytes.
    fileprivate func files(with bytes: Data) throws -> [String] {
        try FileConversationTests.paths(below: directory, with: bytes)
    }

    /// The names of the users' files.
    fileprivate func keptFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory + "/files").sorted()
    }
}
