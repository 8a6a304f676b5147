import Foundation
import PromisedConcurrency
import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

/// A recorder over a client in memory, with clocks that a test moves.
struct RecorderWorld: Sendable {
    let recorder: CourseRecorder
    let time: TestTime
    let world: ClientWorld

    /// The recorder's next notice.
    func notice() async throws -> RecorderNotice {
        for await notice in recorder.notices { return notice }
        throw Mailbox<RecorderNotice>.Ended()
    }

    /// The next connection, to whose server the device is then known.
    func connect() async throws -> MemoryLink {
        let isFirst = await world.client.currentSession == nil
        let link = isFirst ? try await world.signedIn() : try await world.links.accept()
        try await link.welcome()
        return link
    }
}

/// Runs a test with a running recorder; its server still waits for the first connection.
func withRecorder(
    limit: Int = 1_000,
    directory: String? = nil,
    _ body: (RecorderWorld) async throws -> Void
) async throws {
    let time = TestTime()
    var settings = ClientSettings.test
    // No test waits for these.
    settings.callTimeout = .beyondAnyTest
    try await withClient(settings, time: time) { world in
        let recorder =
            try directory.map { try CourseRecorder(client: world.client, directory: $0, limit: limit) }
            ?? CourseRecorder(client: world.client, limit: limit)
        async let running: Void = recorder.run()
        try await body(RecorderWorld(recorder: recorder, time: time, world: world))
        await world.client.close()
        await running
    }
}

extension MemoryLink {
    /// Receives a start and replies with the recording's id.
    @discardableResult
    func startRecording(as recordingID: String = "r") async throws -> WireStartRecording {
        let frame = try await receive()
        guard case .startRecording(let request)? = frame.request else { throw Unexpected(frame: frame) }
        try reply(to: frame, .recording(.with { $0.recordingID = recordingID }))
        return request
    }

    /// Receives points.
    func points() async throws -> (frame: WireClientFrame, request: WireAppendRecording) {
        let frame = try await receive()
        guard case .appendRecording(let request)? = frame.request else { throw Unexpected(frame: frame) }
        return (frame, request)
    }

    /// Receives points and accepts all of them.
    @discardableResult
    func takePoints() async throws -> [UInt32] {
        let (frame, request) = try await points()
        let seqs = request.points.map(\.seq)
        try reply(to: frame, .recorded(.with { $0.taken = seqs }))
        return seqs
    }
}

@Suite(.timeLimit(.minutes(1))) struct CourseRecorderTests {
    @Test func `starts a way, sends it with both clocks, pauses and finishes it`() async throws {
        try await withRecorder { world in
            await world.recorder.start(.ride, title: "Sea")
            #expect(await world.recorder.start(.walk) == false)
            let link = try await world.connect()
            let start = try await link.startRecording()
            #expect(start.activity == .ride && start.title == "Sea" && start.key.count == 32)
            #expect(try await world.notice() == .started(.with { $0.recordingID = "r" }))
            #expect(await world.recorder.record(.at(1), age: .seconds(2)) == 1)
            await world.recorder.pause()
            #expect(await world.recorder.record(.at(2)) == nil)
            let (frame, request) = try await link.points()
            #expect(request.recordingID == "r" && request.uptimeMs == 1_000_000)
            #expect(request.sentAt.readingMs == world.time.wallMs)
            let point = try #require(request.points.first)
            #expect(point.uptimeMs == 998_000 && point.recordedAt.readingMs == world.time.wallMs - 2_000)
            try link.reply(to: frame, .recorded(.with { $0.taken = [1] }))
            _ = try await world.notice()
            await world.recorder.resume()
            #expect(await world.recorder.record(.at(3)) == 2)
            await world.recorder.finish(title: "To the sea", memo: "Wind", photos: [.with { $0.fileID = "f" }])
            let (last, second) = try await link.points()
            #expect(second.points.map(\.segment) == [1])
            try link.reply(to: last, .recorded(.with { $0.taken = [2] }))
            let finish = try await link.receive()
            #expect(finish.finishRecording.recordingID == "r" && finish.finishRecording.title == "To the sea")
            #expect(finish.finishRecording.memo == "Wind" && finish.finishRecording.photos.map(\.fileID) == ["f"])
            try link.reply(to: finish, .course(.with { $0.courseID = "c" }))
            _ = try await world.notice()
            #expect(try await world.notice() == .finished(.with { $0.courseID = "c" }))
            #expect(await world.recorder.status == nil)
        }
    }

    @Test func `sends points in order in batches of 200, and fewer at most every ten seconds`() async throws {
        try await withRecorder { world in
            await world.recorder.start(.walk)
            for number in 1...450 { await world.recorder.record(.at(Double(number))) }
            let link = try await world.connect()
            try await link.startRecording()
            #expect(try await link.takePoints() == Array(1...200))
            #expect(try await link.takePoints() == Array(201...400))
            await world.time.pass(.seconds(10))
            #expect(try await link.takePoints() == Array(401...450))
            await world.recorder.record(.at(451))
            await world.time.pass(.seconds(10))
            #expect(try await link.takePoints() == [451])
        }
    }

    @Test func `removes a point only when the reply names it, and counts rejected ones`() async throws {
        try await withRecorder { world in
            await world.recorder.start(.walk)
            for number in 1...4 { await world.recorder.record(.at(Double(number))) }
            await world.recorder.pause()
            let link = try await world.connect()
            try await link.startRecording()
            let (frame, _) = try await link.points()
            let recorded = WireRecorded.with {
                $0.taken = [1, 99]
                $0.rejected = [.with { ($0.seq, $0.code) = (3, "position.invalid") }]
            }
            try link.reply(to: frame, .recorded(recorded))
            let (again, request) = try await link.points()
            #expect(request.points.map(\.seq) == [2, 4])
            // If the reply names none of them, the client retries later.
            try link.reply(to: again, .recorded(WireRecorded()))
            await world.time.pass(.seconds(5))
            let (third, _) = try await link.points()
            try link.refuse(third, WireErrorReply(.requestInvalid, field: "points[1].seq"))
            #expect(try await link.takePoints() == [2])
            _ = try await world.notice()
            #expect(try await world.notice() == .recorded(recorded))
            _ = try await world.notice()
            guard case .refused(_, givenUp: 1) = try await world.notice() else {
                Issue.record("the point was not given up")
                return
            }
            _ = try await world.notice()
            let status = await world.recorder.status
            #expect(status?.counts.taken == 2 && status?.counts.rejected == 2 && status?.waitingCount == 0)
        }
    }

    @Test func `repeats a request lost with its connection under the same key`() async throws {
        try await withRecorder { world in
            await world.recorder.start(.walk)
            await world.recorder.record(.at(1))
            await world.recorder.finish()
            var link = try await world.connect()
            var keys: [String] = []
            for _ in 1...2 {
                keys.append(try await link.receive().startRecording.key)
                link.end(code: 1_006)
                link = try await world.connect()
            }
            keys.append(try await link.startRecording().key)
            #expect(Set(keys).count == 1)
            let (_, request) = try await link.points()
            #expect(request.points.map(\.seq) == [1])
            link.end(code: 1_006)
            link = try await world.connect()
            #expect(try await link.takePoints() == [1])
            #expect(try await link.receive().finishRecording.recordingID == "r")
            link.end(code: 1_006)
            link = try await world.connect()
            try link.reply(to: try await link.receive(), .course(.with { $0.courseID = "c" }))
            _ = try await (world.notice(), world.notice())
            #expect(try await world.notice() == .finished(.with { $0.courseID = "c" }))
        }
    }

    @Test func `a restarted app finds the unfinished recording and continues it`() async throws {
        let directory = NSTemporaryDirectory() + "/promised-recording-" + UUID().uuidString
        let started = Guarded<Date?>(nil)
        try await withRecorder(directory: directory) { world in
            #expect(world.recorder.unfinished == nil)
            await world.recorder.start(.run, title: "Hill")
            await world.recorder.record(.at(1))
            await world.recorder.pause()
            started.withLock { $0 = Date(timeIntervalSince1970: world.time.wallMs / 1_000) }
        }
        try await withRecorder(directory: directory) { world in
            let unfinished = try #require(world.recorder.unfinished)
            #expect(unfinished.phase == .paused && unfinished.activity == .run && unfinished.title == "Hill")
            #expect(unfinished.waitingCount == 1 && unfinished.recordingID == nil)
            #expect(unfinished.startedAt == started.withLock { $0 })
            await world.recorder.resume()
            await world.recorder.record(.at(2))
            await world.recorder.finish()
            let link = try await world.connect()
            try await link.startRecording()
            let (frame, request) = try await link.points()
            #expect(request.points.map(\.seq) == [1, 2] && request.points.map(\.segment) == [0, 1])
            try link.reply(to: frame, .recorded(.with { $0.taken = [1, 2] }))
            try link.reply(to: try await link.receive(), .course(.with { $0.courseID = "c" }))
            _ = try await (world.notice(), world.notice())
            #expect(try await world.notice() == .finished(.with { $0.courseID = "c" }))
        }
        try await withRecorder(directory: directory) { world in
            #expect(world.recorder.unfinished == nil)
        }
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test(arguments: [true, false])
    func `does not offer a recording that the user has ended, and ends it after a restart of the app`(
        isKept: Bool
    ) async throws {
        let directory = NSTemporaryDirectory() + "/promised-recording-" + UUID().uuidString
        try await withRecorder(directory: directory) { world in
            await world.recorder.start(.run)
            let link = try await world.connect()
            try await link.startRecording()
            _ = try await world.notice()
            if isKept { await world.recorder.finish(title: "Hill") } else { await world.recorder.discard() }
        }
        try await withRecorder(directory: directory) { world in
            #expect(world.recorder.unfinished == nil)
            #expect(await world.recorder.status?.phase == (isKept ? .finishing : .discarding))
            let link = try await world.connect()
            let frame = try await link.receive()
            #expect(frame.finishRecording.title == (isKept ? "Hill" : ""))
            #expect(frame.discardRecording.recordingID == (isKept ? "" : "r"))
            try link.reply(to: frame, isKept ? .course(WireCourse()) : .done(WireDone()))
            #expect(try await world.notice() == (isKept ? .finished(WireCourse()) : .discarded))
        }
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `reports a damaged file to the app`() async throws {
        let directory = NSTemporaryDirectory() + "/promised-recording-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data([1, 2, 3, 4, 5, 6, 7, 8, 9]).write(to: URL(fileURLWithPath: directory + "/recording.journal"))
        try await withRecorder(directory: directory) { world in
            let notice = try await world.notice()
            #expect(notice == .damaged(path: directory + "/recording.journal.damaged"))
            #expect(world.recorder.unfinished == nil)
        }
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `drops and reports the oldest points if too many wait`() async throws {
        try await withRecorder(limit: 3) { world in
            await world.recorder.start(.walk)
            for number in 1...5 { await world.recorder.record(.at(Double(number))) }
            for _ in 1...2 { #expect(try await world.notice() == .overflowed(1)) }
            await world.recorder.pause()
            let link = try await world.connect()
            try await link.startRecording()
            #expect(try await link.takePoints() == [3, 4, 5])
        }
    }

    // MARK: - Refusals

    @Test(arguments: [(ErrorCode.limitRate, 11), (.serverUnavailable, 11), (.authRequired, 30), (.authForbidden, 30)])
    func `keeps everything after a temporary refusal and retries later`(code: ErrorCode, seconds: Int) async throws {
        try await withRecorder { world in
            await world.recorder.start(.walk)
            await world.recorder.record(.at(1))
            await world.recorder.pause()
            let link = try await world.connect()
            try await link.startRecording()
            let (frame, _) = try await link.points()
            let error = WireErrorReply(code, retryAfterMs: 11_000)
            try link.refuse(frame, error)
            _ = try await world.notice()
            #expect(try await world.notice() == .refused(error, givenUp: 0))
            await world.time.pass(.seconds(seconds))
            #expect(try await link.takePoints() == [1])
        }
    }

    @Test func `a recording that cannot be started waits for the app`() async throws {
        try await withRecorder { world in
            await world.recorder.start(.walk)
            let link = try await world.connect()
            let error = WireErrorReply.with { $0.code = "recording.limit" }
            try link.refuse(try await link.receive(), error)
            #expect(try await world.notice() == .refused(error, givenUp: 0))
            #expect(await world.recorder.record(.at(1)) == 1)
            await world.recorder.retry()
            try await link.startRecording()
        }
    }

    @Test func `pauses after a refused finish, and continues with another title`() async throws {
        try await withRecorder { world in
            await world.recorder.start(.walk)
            await world.recorder.finish(title: "Way")
            let link = try await world.connect()
            try await link.startRecording()
            let error = WireErrorReply.with { $0.code = "course.title-taken" }
            try link.refuse(try await link.receive(), error)
            _ = try await world.notice()
            #expect(try await world.notice() == .refused(error, givenUp: 0))
            #expect(await world.recorder.status?.phase == .paused)
            await world.recorder.finish(title: "Way 2")
            let frame = try await link.receive()
            #expect(frame.finishRecording.title == "Way 2")
            try link.reply(to: frame, .course(WireCourse()))
            #expect(try await world.notice() == .finished(WireCourse()))
        }
    }

    @Test(arguments: ["", "recording.not-found", "recording.closed"])
    func `removes a discarded recording, also if the server has none`(code: String) async throws {
        try await withRecorder { world in
            await world.recorder.start(.walk)
            let link = try await world.connect()
            try await link.startRecording()
            _ = try await world.notice()
            await world.recorder.discard()
            let frame = try await link.receive()
            #expect(frame.discardRecording.recordingID == "r")
            if code.isEmpty {
                try link.reply(to: frame, .done(WireDone()))
            } else {
                try link.refuse(frame, .with { $0.code = code })
            }
            #expect(try await world.notice() == .discarded)
            #expect(await world.recorder.start(.ride))
        }
    }

    @Test func `discards a recording unknown to the server at once`() async throws {
        try await withRecorder { world in
            await world.recorder.start(.walk)
            await world.recorder.discard()
            let notice = try await world.notice()
            #expect(notice == .discarded)
            #expect(await world.recorder.status == nil)
        }
    }
}
