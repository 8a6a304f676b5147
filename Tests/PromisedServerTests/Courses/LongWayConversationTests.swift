import Foundation
import PromisedClient
import PromisedConcurrency
import PromisedDomain
import PromisedJournal
import PromisedProtocol
import PromisedServer
import PromisedStore
import Testing

@Suite("Long ways over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct LongWayConversationTests {
    @Test func `repeats a long way identically until other ends are hidden`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await ada.befriend(bea)
                let id = try await ada.course(points: 2_100).courseID
                func share(hiding metres: Int32) async throws {
                    _ = try await ada.client.shareCourse(
                        courseID: id,
                        audience: .friends,
                        userIds: [],
                        hideMetres: metres
                    )
                }
                try await share(hiding: 0)
                for (person, isOwn) in [(ada, true), (bea, false)] {
                    for maxPoints in [nil, 2, 700] as [Int32?] {
                        let first = try await person.points(of: id, maxPoints: maxPoints)
                        #expect(first.count == Int(maxPoints ?? 2_100) && first.allSatisfy { $0.hasAt == isOwn })
                        #expect(try await person.points(of: id, maxPoints: maxPoints) == first)
                    }
                }
                // 190 m to 380 m of each end, with a point every 20 m.
                try await share(hiding: 190)
                #expect((2_100 - 2 * 19...2_100 - 2 * 10).contains(try await bea.points(of: id).count))
                #expect(try await ada.points(of: id).count == 2_100)
            }
        }
    }

    @Test func `stores the shown part of a recorded, imported or copied long way`() async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        let made = Guarded<[(course: String, user: String)]>([])
        try await ServerWorld.with(directory: directory) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await ada.befriend(bea)
                let imported = try await ada.course(points: 2_100).courseID
                _ = try await ada.client.shareCourse(
                    courseID: imported,
                    audience: .friends,
                    userIds: [],
                    hideMetres: 100
                )
                let copied = try await bea.client.copyCourse(key: "1", courseID: imported).courseID
                let recording = try await ada.client.startRecording(key: "1", activity: .walk, title: "Long")
                let points = WireRecordedPoint.way(of: 2_100, until: world.now)
                for start in stride(from: 0, to: points.count, by: 200) {
                    let some = Array(points[start..<min(start + 200, points.count)])
                    _ = try await ada.append(some, to: recording.recordingID, at: world.now)
                }
                let recorded = try await ada.client.finishRecording(recordingID: recording.recordingID, photos: [])
                made.withLock { $0 = [(imported, ada.id), (copied, bea.id), (recorded.courseID, ada.id)] }
            }
        }
        let store = try await Store.open(directory: directory)
        for (course, user) in made.withLock({ $0 }) {
            let (id, user) = (try #require(CourseID(course)), try #require(UserID(user)))
            #expect(try await store.courses.keptWays(of: id) == 2)
            // The user's secret determines the hidden ends, so they equal those at its creation.
            let hidden = try #require(try await store.courses.course(id, seenBy: user)).way.hidden
            let track = try #require(try await store.courses.track(of: id))
            #expect(hidden.outlines == track.seen.outlined(to: Track.outlineLimit).polylines)
            #expect(hidden.box == track.seen.box && hidden.box != nil)
        }
        try await store.close()
    }
}

extension Person {
    /// All points of a way, page by page.
    fileprivate func points(of course: String, maxPoints: Int32? = nil) async throws -> [WireTrackPoint] {
        var (points, cursor) = ([WireTrackPoint](), "")
        repeat {
            let page = try await client.getTrack(courseID: course, maxPoints: maxPoints, cursor: cursor)
            points += page.points
            cursor = page.cursor
        } while !cursor.isEmpty
        return points
    }
}
