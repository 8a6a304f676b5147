import Foundation
import PromisedClient
import PromisedProtocol
import SwiftProtobuf
import Testing

/// Recordings against the built binary, which dies in the middle.
@Suite("The built binary keeps what is recorded", .tags(.realTime), .timeLimit(.minutes(2)))
struct RecordingBoxTests {
    @Test func `a killed and restarted server makes the course of an undisturbed recording`() async throws {
        try await withTemporaryFolder { folder in
            let begun = Date.now
            let points = (0..<200).map { WireRecordedPoint.liveActions($0, of: 200, until: begun) }
            var server = try await ServerProcess.start(data: folder)
            let id = try await server.withClient { client in
                _ = try await client.signUp(email: "a@example.org", password: "correct horse", nickname: "Ada")
                _ = try await client.hello()
                let id = try await client.startRecording(key: "1", activity: .ride, title: "Cut").recordingID
                #expect(try await client.append(points[..<120], to: id).count == 120)
                return id
            }
            server.run.kill()
            _ = await server.run.exitCode()
            server = try await ServerProcess.start(data: folder, port: server.port)
            let (cut, whole) = try await server.withClient { client in
                _ = try await client.signIn(email: "a@example.org", password: "correct horse")
                _ = try await client.hello()
                // Acknowledged means stored; the phone does not know which were, and repeats some.
                #expect(try await client.listRecordings().recordings.map(\.points) == [120])
                #expect(try await client.append(points[90...], to: id).count == 110)
                let cut = try await client.finishRecording(recordingID: id, photos: [])
                let other = try await client.startRecording(key: "2", activity: .ride, title: "Whole").recordingID
                _ = try await client.append(points[...], to: other)
                return (cut, try await client.finishRecording(recordingID: other, photos: []))
            }
            #expect(cut.statistics.points == 200 && cut.outlines == whole.outlines)
            #expect(cut.statistics.points == whole.statistics.points)
            #expect(abs(cut.statistics.distanceMetres - whole.statistics.distanceMetres) < 0.001)
            #expect(abs(cut.statistics.durationMs - whole.statistics.durationMs) <= 1_000)
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
        }
    }
}

extension WireRecordedPoint {
    /// A point of a way to the north, one each 20 m and 5 s, the last one at `end`.
    fileprivate static func liveActions(_ number: Int, of count: Int, until end: Date) -> WireRecordedPoint {
        .with {
            $0.seq = UInt32(number + 1)
            $0.latitude = 37.5 + Double(number) * 20 / 111_195
            $0.longitude = 127
            $0.accuracyMetres = 5
            $0.recordedAt = Google_Protobuf_Timestamp(date: end.addingTimeInterval(Double(5 * (number + 1 - count))))
        }
    }
}

extension PromisedClient {
    /// Sends points and returns the numbers stored by the server.
    fileprivate func append(_ points: ArraySlice<WireRecordedPoint>, to id: String) async throws -> [UInt32] {
        try await appendRecording(
            recordingID: id,
            points: Array(points),
            sentAt: Google_Protobuf_Timestamp(date: .now)
        ).taken
    }
}
