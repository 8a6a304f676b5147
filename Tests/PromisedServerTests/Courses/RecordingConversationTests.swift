import Foundation
import PromisedApplication
import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite("Recordings over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct RecordingConversationTests {
    private static let nowhere = "01940000-0000-7000-8000-000000000001"

    @Test(
        .proves("startRecording", "appendRecording", "finishRecording", "listRecordings", "recording.not-found"),
        .proves("recording.closed"),
        arguments: WireCodec.allCases
    )
    func `makes one course of points in any order, repeated`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let recording = try await ada.client.startRecording(key: "1", activity: .ride, title: "Morning")
                #expect(recording.state == .recording && recording.activity == .ride && recording.points == 0)
                #expect(try await ada.client.startRecording(key: "1", activity: .ride, title: "Morning") == recording)
                let points = WireRecordedPoint.way(of: 60, until: world.now)
                let id = recording.recordingID
                let late = try await ada.append(Array(points[30...]), to: id, at: world.now)
                #expect(late.taken == Array(31...60) && late.rejected.isEmpty && late.lastSeq == 60)
                #expect(
                    try await ada.append(Array(points[..<40].reversed()), to: id, at: world.now).taken == Array(1...40)
                )
                let open = try await ada.client.listRecordings().recordings
                #expect(open.map(\.points) == [60] && open[0].lastSeq == 60 && open[0].hasLastPointAt)
                #expect(try await bea.client.listRecordings().recordings.isEmpty)
                var wrong = WireFinishRecording.with { ($0.recordingID, $0.folderID) = (id, Self.nowhere) }
                #expect(await ada.refusal(.finishRecording(wrong)) == .folderNotFound)
                wrong = .with { ($0.recordingID, $0.photos) = (id, [.with { $0.fileID = Self.nowhere }]) }
                #expect(await ada.refusal(.finishRecording(wrong)) == .fileNotFound)
                let taken = try await ada.course().title
                wrong = .with { ($0.recordingID, $0.title) = (id, taken) }
                #expect(await ada.refusal(.finishRecording(wrong)) == .courseTitleTaken)
                let finish = WireFinishRecording.with { ($0.recordingID, $0.memo) = (id, "Windy") }
                #expect(await bea.refusal(.finishRecording(finish)) == .recordingNotFound)
                let course = try await ada.client.finishRecording(recordingID: id, photos: [], memo: "Windy")
                #expect(course.title == "Morning" && course.source == .recording && course.activity == .ride)
                #expect(course.statistics.points == 60 && abs(course.statistics.distanceMetres - 59 * 20) < 12)
                #expect(course.memo == "Windy" && abs(course.statistics.durationMs - 59 * 5_000) < 1_000)
                let again = try await ada.client.finishRecording(recordingID: id, photos: [], memo: "Windy")
                #expect(again.courseID == course.courseID)
                let more = WireAppendRecording.with { ($0.recordingID, $0.points) = (id, [points[0]]) }
                #expect(await ada.refusal(.appendRecording(more)) == .recordingClosed)
                #expect(await ada.refusal(.discardRecording(.with { $0.recordingID = id })) == .recordingClosed)
                #expect(try await ada.client.listRecordings().recordings.isEmpty)
            }
        }
    }

    @Test(
        .proves("startRecording", "appendRecording", "finishRecording", "discardRecording", "course.too-short"),
        .proves("recording.not-found", "recording.limit")
    )
    func `rejects invalid requests, and deletes a discarded recording`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                var ids: [String] = []
                for key in ["1", "2", "3"] {
                    ids.append(try await ada.client.startRecording(key: key, activity: .walk).recordingID)
                }
                let fourth = WireStartRecording.with { ($0.key, $0.activity) = ("4", .walk) }
                #expect(await ada.refusal(.startRecording(fourth)) == .recordingLimit)
                let reused = WireStartRecording.with { ($0.key, $0.activity) = ("1", .run) }
                #expect(await ada.refusal(.startRecording(reused)) == .requestKeyReused)
                #expect(await ada.refusal(.startRecording(.with { $0.key = "5" })) == .requestInvalid)
                let none = WireAppendRecording.with { $0.recordingID = ids[0] }
                #expect(await ada.refusal(.appendRecording(none)) == .requestInvalid)
                var point = WireRecordedPoint.way(of: 1, until: world.now)[0]
                (point.latitude, point.longitude) = (91, 0)
                let taken = try await ada.append([point], to: ids[0], at: world.now)
                #expect(taken.taken.isEmpty && taken.rejected.map(\.code) == ["position.invalid"])
                let finish = WireFinishRecording.with { $0.recordingID = ids[0] }
                #expect(await ada.refusal(.finishRecording(finish)) == .courseTooShort)
                try await ada.client.discardRecording(recordingID: ids[0])
                #expect(await ada.refusal(.discardRecording(.with { $0.recordingID = ids[0] })) == .recordingNotFound)
                #expect(await ada.refusal(.finishRecording(finish)) == .recordingNotFound)
                #expect(await ada.refusal(.startRecording(fourth)) == nil)
            }
        }
    }

    @Test(.proves("appendRecording", "listRecordings", "recordingInterrupted"))
    func `six hours without a point interrupt a recording, and a later point continues it`() async throws {
        // An hour passes in a second.
        try await ServerWorld.with(rate: 3_600) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let id = try await ada.client.startRecording(key: "1", activity: .walk).recordingID
                try await world.service.clock.sleep(until: world.now + .hours(7))
                await world.service.cleanUp()
                await ada.wait { $0.contains { $0.what?.interruptedID == id } }
                #expect(try await ada.client.listRecordings().recordings.map(\.state) == [.interrupted])
                let point = WireRecordedPoint.way(of: 1, until: world.now)
                #expect(try await ada.append(point, to: id, at: world.now).taken == [1])
                #expect(try await ada.client.listRecordings().recordings.map(\.state) == [.recording])
            }
        }
    }

    /// On a clock 10,000 times as fast, six hours pass in 2.2 s of real time, and a minute of real time in a week.
    @Test(.proves("17.6"))
    func `interrupts a recording after six hours of a fast clock`() async throws {
        try await ServerWorld.with(rate: 10_000) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let id = try await ada.client.startRecording(key: "1", activity: .walk).recordingID
                let began = world.now
                await ada.wait { $0.contains { $0.what?.interruptedID == id } }
                #expect(world.now - began >= .hours(5))
                #expect(world.now - began < .hours(60))
            }
        }
    }

    @Test(arguments: [(1.0, 60_000), (0.001, 60_000), (2, 30_000), (60, 1_000), (1_000, 1_000)])
    func `checks recordings once a minute of the clock, at most once a second`(
        rate: Double,
        milliseconds: Int
    ) {
        #expect(Recordings.wakeInterval(atRate: rate) == .milliseconds(milliseconds))
    }

    @Test(.proves("saveCourse")) func `stores the way to a meeting after it is over`() async throws {
        try await ServerWorld.with(rate: 3_000) { world in
            try await world.with("Ada", "Bea", "Cem") { ada, bea, cem in
                try await ada.befriend(cem)
                let promise = try await ada.meet(with: bea, inviting: [cem], in: world)
                let course = try await ada.client.saveCourse(key: "1", promiseID: promise.promiseID)
                #expect(course.title == promise.title && course.source == .promise)
                #expect(course.promiseID == promise.promiseID && course.statistics.distanceMetres > 300)
                #expect(try await ada.client.saveCourse(key: "1", promiseID: promise.promiseID) == course)
                var way = WireSaveCourse.with { ($0.key, $0.promiseID) = ("1", promise.promiseID) }
                #expect(await bea.refusal(.saveCourse(way)) == .courseTooShort)
                #expect(await cem.refusal(.saveCourse(way)) == .promiseNotAccepted)
                way.title = "Another"
                #expect(await ada.refusal(.saveCourse(way)) == .requestKeyReused)
                (way.key, way.title) = ("2", course.title)
                #expect(await ada.refusal(.saveCourse(way)) == .courseTitleTaken)
                way.folderID = Self.nowhere
                #expect(await ada.refusal(.saveCourse(way)) == .folderNotFound)
            }
        }
    }
}

extension WireEvent.OneOf_What {
    /// The id of the recording in an event of an interruption.
    fileprivate var interruptedID: String? {
        if case .recordingInterrupted(let told) = self { told.recording.recordingID } else { nil }
    }
}

extension WireRecordedPoint {
    /// A way to the north, a point every 20 m and 5 s, the last one now.
    static func way(of points: Int, until now: Instant) -> [WireRecordedPoint] {
        (0..<points).map { number in
            .with {
                $0.seq = UInt32(number + 1)
                $0.latitude = 37.5 + Double(number) * 20 / 111_195
                $0.longitude = 127
                $0.accuracyMetres = 5
                $0.recordedAt = WireTimestamp(now - .seconds(Double(5 * (points - 1 - number))))
            }
        }
    }
}

extension Person {
    /// Walks to a meeting with a friend, who stays away, and waits for its result.
    func meet(with friend: Person, inviting others: [Person] = [], in world: ServerWorld) async throws -> WirePromise {
        let meetsAt = world.now + .minutes(30) + .hours(3)
        let promise = try await promise(with: [friend], at: meetsAt) { $0.inviteeIds += others.map(\.id) }
        _ = try await client.subscribe(promiseID: promise.promiseID)
        try await world.service.clock.sleep(until: meetsAt - .minutes(20))
        for (seq, metres) in [400.0, 300, 200, 100, 45, 35, 28, 22, 20, 20].enumerated() {
            _ = try await report(promise.promiseID, seq: UInt32(seq + 1), metres: metres)
            try await world.service.clock.sleep(until: world.now + .seconds(20))
        }
        await wait { $0.contains { $0.what?.isResultFinal == true } }
        return promise
    }

    /// Sends points of a recording, with the device's wall clock.
    func append(_ points: [WireRecordedPoint], to id: String, at now: Instant) async throws -> WireRecorded {
        try await client.appendRecording(recordingID: id, points: points, sentAt: WireTimestamp(now))
    }
}
