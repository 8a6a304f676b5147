import Foundation
import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

/// The app of the article "Recording a way" against a server in memory.
@Suite(.timeLimit(.minutes(1))) struct RecordingAWayTests {
    private func withApp(
        _ body: (RecordingAWay, CourseRecorder, ClientWorld) async throws -> Void
    ) async throws {
        var settings = ClientSettings.test
        settings.callTimeout = .beyondAnyTest
        let app = RecordingAWay()
        try await withClient(settings, time: TestTime()) { world in
            // An impossible directory: the recorder keeps the points in memory.
            let recorder = app.openRecorder(of: world.client, in: "/dev/null/no-directory")
            async let running: Void = app.runRecorder(recorder)
            try await body(app, recorder, world)
            await world.client.close()
            await running
        }
    }

    @Test func `the article's app records a way with a photo and keeps it as a course`() async throws {
        try await withApp { app, recorder, world in
            await app.ride(with: recorder)
            let link = try await world.signedIn()
            try await link.welcome()
            #expect(try await link.startRecording().title == "To the sea")
            for isOver in [false, true] {
                // The clocks of the test do not run.
                let date = Date(timeIntervalSince1970: TestTime().wallMs / 1_000 - 1)
                await app.moved(
                    toLatitude: 52,
                    longitude: 13,
                    altitudeMetres: 40,
                    accuracyMetres: 5,
                    measuredAt: date,
                    recorder: recorder
                )
                await app.rest(isOver: false, recorder: recorder)
                let (frame, request) = try await link.points()
                let point = try #require(request.points.first)
                #expect(request.points.count == 1 && point.segment == (isOver ? 1 : 0))
                #expect(point.altitudeMetres == 40 && point.recordedAt == WireTimestamp(date))
                try link.reply(to: frame, .recorded(.with { $0.taken = [point.seq] }))
                await app.rest(isOver: true, recorder: recorder)
            }
            async let photo = app.upload(Data([1, 2]), key: "k", with: world.client)
            try link.reply(to: try await link.receive(), .upload(.with { $0.uploadID = "u" }))
            try link.reply(to: try await link.receive(), .upload(.with { $0.file.fileID = "f" }))
            #expect(try await [app.effects.next(), app.effects.next()] == ["0 of 2", "2 of 2"])
            await app.arrive(with: [try await photo], recorder: recorder)
            let finish = try await link.receive()
            #expect(finish.finishRecording.photos.map(\.fileID) == ["f"])
            #expect(finish.finishRecording.memo == "Wind from the west")
            try link.reply(to: finish, .course(.with { $0.courseID = "c" }))
            #expect(try await app.effects.next() == "course c")
        }
    }

    @Test func `the article's app reports an error and discards`() async throws {
        try await withApp { app, recorder, world in
            await app.ride(with: recorder)
            let link = try await world.signedIn()
            try await link.welcome()
            try await link.startRecording()
            await app.arrive(with: [], recorder: recorder)
            try link.refuse(
                try await link.receive(),
                .with { ($0.code, $0.message) = ("course.too-short", "Too short.") }
            )
            #expect(try await app.effects.next() == "Too short.")
            await app.forget(recorder: recorder)
            let frame = try await link.receive()
            #expect(frame.discardRecording.recordingID == "r")
            try link.reply(to: frame, .done(WireDone()))
            for notice in [RecorderNotice.overflowed(2), .damaged(path: "p")] { app.show(notice) }
            #expect(
                try await [app.effects.next(), app.effects.next()] == [
                    "2 points were dropped", "points may be missing",
                ]
            )
        }
    }

    @Test func `the article's app offers an unfinished recording`() async throws {
        let app = RecordingAWay()
        let directory = NSTemporaryDirectory() + "/promised-recording-" + UUID().uuidString
        for expected in [nil, "offered 1"] {
            let client = makeClient(.test, links: MemoryLinks(), time: TestTime())
            await client.close()
            let recorder = app.openRecorder(of: client, in: directory)
            await app.runRecorder(recorder)
            if let expected { #expect(try await app.effects.next() == expected) }
            if recorder.unfinished == nil {
                await app.ride(with: recorder)
                await recorder.record(.at(1))
            }
        }
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `the article's app loads a course with its track and its photos`() async throws {
        let app = RecordingAWay()
        try await withClient { world in
            let link = try await world.links.accept()
            let bytes = Data([1, 2, 3])
            let file = WireStoredFile.with { ($0.fileID, $0.bytes, $0.sha256) = ("f", 3, SHA256.hex(of: bytes)) }
            let course = WireCourse.with {
                $0.courseID = "c"
                $0.photos = [.with { $0.file = file }]
            }
            async let loading: Void = app.load(course, with: world.client)
            try link.reply(to: try await link.receive(), .track(.with { $0.points = [.init(), .init()] }))
            try link.reply(to: try await link.receive(), .fileChunk(.with { ($0.bytes, $0.data) = (3, bytes) }))
            try await loading
            #expect(try await [app.effects.next(), app.effects.next()] == ["2 points", "3 bytes"])
        }
    }
}
