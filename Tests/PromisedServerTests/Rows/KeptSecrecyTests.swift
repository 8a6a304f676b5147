import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// Of what others keep a stranger learns nothing: "not yours" and "does not exist" are the same answer, to the byte.
@Suite("Strangers and kept things", .tags(.realTime), .timeLimit(.minutes(2)))
struct KeptSecrecyTests {
    private static let patient: @Sendable (inout ServerSettings) -> Void = { $0.limits.requestBurst = 1_000 }
    private static let unknown = "01940000-0000-7000-8000-000000000001"

    @Test(arguments: WireCodec.allCases)
    func `a visit, a course, a folder, a recording and a file of somebody else do not exist`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec, configure: Self.patient) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let visit = try await ada.client.createVisit(.sample(at: world.now)).visitID
                let course = try await ada.course()
                let recording = try await ada.client.startRecording(key: "1", activity: .walk).recordingID
                let file = try await ada.upload(.picture).fileID
                let kept = Kept(
                    visit: visit,
                    course: course.courseID,
                    folder: course.folderID,
                    recording: recording,
                    file: file
                )
                let nothing = Kept(
                    visit: Self.unknown,
                    course: Self.unknown,
                    folder: Self.unknown,
                    recording: Self.unknown,
                    file: Self.unknown
                )
                try await world.devices { connect in
                    let eve = try await connect()
                    _ = try await eve.signUp("Eve")
                    for (theirs, nobodys) in zip(kept.requests, nothing.requests) {
                        let answer = try await Self.answer(theirs, to: eve, codec)
                        #expect(answer == (try await Self.answer(nobodys, to: eve, codec)))
                        #expect(try codec.decodeServerFrame(answer).expect(\.error).code.hasSuffix(".not-found"))
                    }
                    // A list of somebody's visits or courses is empty.
                    for (theirs, nobodys) in zip(WireRequest.lists(of: ada.id), WireRequest.lists(of: Self.unknown)) {
                        let answer = String(decoding: try await Self.answer(theirs, to: eve, codec), as: UTF8.self)
                        let other = String(decoding: try await Self.answer(nobodys, to: eve, codec), as: UTF8.self)
                        #expect(answer == other)
                    }
                }
                // And nothing of it was done.
                #expect(try await ada.client.getVisit(visitID: visit).version == 1)
                #expect(try await ada.client.getCourse(courseID: course.courseID) == course)
                #expect(try await ada.client.listRecordings().recordings.map(\.recordingID) == [recording])
                #expect(try await ada.read(file).isEmpty == false)
            }
        }
    }

    @Test func `an administrator and a viewer are refused every request about them`() async throws {
        try await ServerWorld.with(configure: Self.patient) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let promise = try await ada.promise(with: [bea], at: world.now + .hours(2)).promiseID
                let kept = Kept(
                    visit: try await ada.client.createVisit(.sample(at: world.now)).visitID,
                    course: try await ada.course().courseID,
                    folder: Self.unknown,
                    recording: Self.unknown,
                    file: try await ada.upload(.picture).fileID
                )
                try await world.administered { admin, connect in
                    for request in kept.requests { #expect(try await admin.refusal(request) == .authForbidden) }
                    let link = try await ada.client.createViewLink(promiseID: promise)
                    let viewer = try await connect()
                    _ = try await viewer.call(.watchByLink(.with { $0.code = link.code }))
                    for request in kept.requests { #expect(try await viewer.refusal(request) == .authForbidden) }
                }
            }
        }
    }

    private static func answer(_ request: WireRequest, to device: Device, _ codec: WireCodec) async throws -> [UInt8] {
        try await device.exchange(try codec.encode(WireClientFrame(id: 77, request: request)))
    }
}

/// Things that somebody keeps, by their ids.
private struct Kept: Sendable {
    var visit: String
    var course: String
    var folder: String
    var recording: String
    var file: String

    /// Every request that names one of them.
    var requests: [WireRequest] {
        [
            .getVisit(.with { $0.visitID = visit }), .deleteVisit(.with { $0.visitID = visit }),
            .updateVisit(.with { ($0.visitID, $0.version, $0.title) = (visit, 1, "Mine") }),
            .getCourse(.with { $0.courseID = course }), .getTrack(.with { $0.courseID = course }),
            .updateCourse(.with { ($0.courseID, $0.version, $0.title) = (course, 1, "Mine") }),
            .shareCourse(.with { ($0.courseID, $0.audience) = (course, .friends) }),
            .copyCourse(.with { ($0.key, $0.courseID) = ("1", course) }),
            .exportCourse(.with { ($0.courseID, $0.format) = (course, .gpx) }),
            .getShareText(.with { $0.courseID = course }), .deleteCourse(.with { $0.courseID = course }),
            .updateFolder(.with { ($0.folderID, $0.version, $0.title) = (folder, 1, "Mine") }),
            .deleteFolder(.with { ($0.folderID, $0.withCourses) = (folder, true) }),
            .appendRecording(.with { ($0.recordingID, $0.points) = (recording, [WireRecordedPoint()]) }),
            .finishRecording(.with { $0.recordingID = recording }),
            .discardRecording(.with { $0.recordingID = recording }), .readFile(.with { $0.fileID = file }),
            .importCourse(.with { ($0.key, $0.fileID) = ("2", file) }),
        ]
    }
}

extension WireRequest {
    /// The visits and courses of a user that the caller may see.
    fileprivate static func lists(of userID: String) -> [WireRequest] {
        [
            .listVisits(.with { $0.userID = userID }),
            .listCourses(.with { ($0.list, $0.userID) = (.shared, userID) }),
        ]
    }
}
