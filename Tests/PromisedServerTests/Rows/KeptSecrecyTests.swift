import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// A stranger cannot detect stored data: "not yours" and "does not exist" have the same reply, to the byte.
@Suite("Strangers and stored data", .tags(.realTime), .timeLimit(.minutes(2)))
struct KeptSecrecyTests {
    private static let patient: @Sendable (inout ServerSettings) -> Void = { $0.limits.requestBurst = 1_000 }

    @Test(.defends("guessed-ids", "hidden-ends-probed"), arguments: WireCodec.allCases)
    func `another user's visit, course, folder, recording and file do not exist`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec, configure: Self.patient) { world in
            try await world.with("Ada", "Eve") { ada, eve in
                let course = try await ada.course()
                let kept = try await ada.keep(course, at: world.now)
                let own = try await eve.keep(try await eve.course(), at: world.now)
                let promise = try await eve.promise(with: [], at: world.now + .hours(2))
                try await world.devices { connect in
                    let device = try await connect()
                    try await eve.signIn(on: device)
                    let about = kept.requests + kept.requests(beside: own, promise)
                    let aboutNothing = Kept.nothing.requests + Kept.nothing.requests(beside: own, promise)
                    for (theirs, nobodys) in zip(about, aboutNothing) {
                        let answer = try await device.answer(to: theirs)
                        #expect(answer == (try await device.answer(to: nobodys)), "\(theirs)")
                        let error = try codec.decodeServerFrame(answer).expect(\.error)
                        #expect(error.code.hasSuffix(".not-found"), "\(theirs)")
                    }
                    // Another user's list of visits or courses is empty.
                    for (theirs, nobodys) in zip(kept.lists(of: ada.id), Kept.nothing.lists(of: Kept.unknown)) {
                        let answer = String(decoding: try await device.answer(to: theirs), as: UTF8.self)
                        #expect(answer == String(decoding: try await device.answer(to: nobodys), as: UTF8.self))
                    }
                }
                // The requests had no effect.
                #expect(try await ada.client.getVisit(visitID: kept.visit).version == 1)
                #expect(try await ada.client.getCourse(courseID: course.courseID) == course)
                #expect(try await ada.client.listRecordings().recordings.map(\.recordingID) == [kept.recording])
                #expect(try await ada.read(kept.file) == UploadSample.way(points: 9).bytes)
            }
        }
    }

    @Test func `rejects every request about them from administrators and viewers`() async throws {
        try await ServerWorld.with(configure: Self.patient) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let promise = try await ada.promise(with: [bea], at: world.now + .hours(2)).promiseID
                let kept = try await ada.keep(try await ada.course(), at: world.now)
                let requests = kept.requests + kept.lists(of: ada.id)
                try await world.administered { admin, connect in
                    for request in requests { #expect(try await admin.refusal(request) == .authForbidden) }
                    let link = try await ada.client.createViewLink(promiseID: promise)
                    let viewer = try await connect()
                    _ = try await viewer.call(.watchByLink(.with { $0.code = link.code }))
                    for request in requests { #expect(try await viewer.refusal(request) == .authForbidden) }
                }
            }
        }
    }
}

/// A user's stored objects, by their ids.
private struct Kept: Sendable {
    static let unknown = "01940000-0000-7000-8000-000000000001"
    static let nothing = Kept(
        visit: unknown,
        course: unknown,
        folder: unknown,
        recording: unknown,
        file: unknown,
        upload: unknown
    )

    var visit: String
    var course: String
    var folder: String
    var recording: String
    /// A track without a course.
    var file: String
    var upload: String

    /// Every request that names one of them.
    var requests: [WireRequest] {
        [
            .getVisit(.with { $0.visitID = visit }), .deleteVisit(.with { $0.visitID = visit }),
            .updateVisit(.with { ($0.visitID, $0.version, $0.title) = (visit, 1, "Mine") }),
            .getCourse(.with { $0.courseID = course }), .getTrack(.with { $0.courseID = course }),
            .getTrack(.with { ($0.courseID, $0.hideMetres) = (course, 100) }),
            .updateCourse(.with { ($0.courseID, $0.version, $0.title) = (course, 1, "Mine") }),
            .shareCourse(.with { ($0.courseID, $0.audience) = (course, .friends) }),
            .copyCourse(.with { ($0.key, $0.courseID) = ("copy", course) }),
            .exportCourse(.with { ($0.courseID, $0.format) = (course, .gpx) }),
            .getShareText(.with { $0.courseID = course }), .deleteCourse(.with { $0.courseID = course }),
            .updateFolder(.with { ($0.folderID, $0.version, $0.title) = (folder, 1, "Mine") }),
            .deleteFolder(.with { ($0.folderID, $0.withCourses) = (folder, true) }),
            .appendRecording(.with { ($0.recordingID, $0.points) = (recording, [WireRecordedPoint()]) }),
            .finishRecording(.with { $0.recordingID = recording }),
            .discardRecording(.with { $0.recordingID = recording }), .readFile(.with { $0.fileID = file }),
            .importCourse(.with { ($0.key, $0.fileID) = ("import", file) }),
            .putChunk(.with { ($0.uploadID, $0.data) = (upload, Data([1])) }),
        ]
    }

    /// Every request that names one of them beside an object of the caller.
    func requests(beside own: Kept, _ promise: WirePromise) -> [WireRequest] {
        let photo = WirePhotoChoice.with { $0.fileID = file }
        var visiting = WireCreateVisit.sample(at: ServerWorld.start)
        visiting.photos = [photo]
        var meeting = WireCreatePromise.sample(meetsAt: ServerWorld.start + .hours(9))
        meeting.courseID = course
        return [
            .createVisit(visiting), .createPromise(meeting),
            .updateVisit(.with { ($0.visitID, $0.version, $0.photos) = (own.visit, 1, [photo]) }),
            .updateCourse(.with { ($0.courseID, $0.version, $0.photos) = (own.course, 1, [photo]) }),
            .updateCourse(.with { ($0.courseID, $0.version, $0.folderID) = (own.course, 1, folder) }),
            .importCourse(.with { ($0.key, $0.fileID, $0.folderID) = ("3", own.file, folder) }),
            .finishRecording(.with { ($0.recordingID, $0.folderID) = (own.recording, folder) }),
            .finishRecording(.with { ($0.recordingID, $0.photos) = (own.recording, [photo]) }),
            .updatePromise(
                .with { ($0.promiseID, $0.version, $0.courseID) = (promise.promiseID, promise.version, course) }
            ),
        ]
    }

    /// The visits and courses of a user, and the courses of the folder, that the caller may see.
    func lists(of userID: String) -> [WireRequest] {
        [
            .listVisits(.with { $0.userID = userID }),
            .listCourses(.with { ($0.list, $0.userID) = (.shared, userID) }),
            .listCourses(.with { ($0.list, $0.folderID) = (.mine, folder) }),
        ]
    }
}

extension Person {
    /// Stores one of each kind beside a course.
    fileprivate func keep(_ course: WireCourse, at now: Instant) async throws -> Kept {
        let recording = try await client.startRecording(key: "1", activity: .walk).recordingID
        _ = try await append(WireRecordedPoint.way(of: 60, until: now), to: recording, at: now)
        let begun = try await client.call(.beginUpload(UploadSample.way(points: 10).announcement()))
        guard case .upload(let upload) = begun else { throw ClientError.unexpectedReply }
        return Kept(
            visit: try await client.createVisit(.sample(at: now)).visitID,
            course: course.courseID,
            folder: course.folderID,
            recording: recording,
            file: try await self.upload(.way(points: 9)).fileID,
            upload: upload.uploadID
        )
    }
}
