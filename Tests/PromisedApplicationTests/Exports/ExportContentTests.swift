import Foundation
import PromisedDomain
import PromisedFormats
import PromisedJournal
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct ExportContentTests {
    /// Users 1 and 2 are friends, and both have everything.
    static func run(_ body: (ExportWorld) async throws -> Void) async throws {
        try await ExportWorld.run { world in
            _ = try await world.store.friendships.changeFriendship(between: .user(1), and: .user(2), at: .meeting) {
                pair,
                _ in
                pair.state = .friends
            }.get()
            try await world.fill(1, friend: 2)
            try await world.fill(2, friend: 1)
            try await body(world)
        }
    }

    @Test func `an archive contains each row of the user`() async throws {
        try await Self.run { world in
            let archive = try await world.entries()
            let photo = try #require(try await world.store.files.files(of: .user(1), .photo, limit: 9).items.first)
            let (mine, theirs) = (Promise.sample(number: 1), Promise.sample(number: 2))
            let names: Set = [
                "README.txt", "account.json", "friends.json", "promises.json", "positions/\(mine.id).json",
                "positions/\(theirs.id).json", "visits.json", "favourites.json", "folders.json", "courses.json",
                "courses/0001 Café.gpx", "courses/0002 To the pier   a b.gpx", "recordings.json",
                "photos/\(photo.id).jpg", "notifications.json",
            ]
            #expect(Set(archive.entries.keys) == names)
            #expect(archive.entries["photos/\(photo.id).jpg"] == [0xFF, 0xD8, 0xFF])
            let counts = [
                "friends": 1, "promises": 2, "visits": 3, "favourites": 1, "folders": 1, "courses": 2, "recordings": 1,
                "notifications": 1, "positions/\(mine.id)": 20, "positions/\(theirs.id)": 20,
            ]
            for (name, count) in counts { #expect(try archive.items("\(name).json").count == count, "\(name)") }
            let track = try #require(try archive.items("recordings.json").first?["track"] as? [[String: any Sendable]])
            #expect(track.count == 50 && track.last?["altitudeMetres"] as? Double == 12)
        }
    }

    @Test func `names and writes values as in the protocol`() async throws {
        try await Self.run { world in
            let archive = try await world.entries()
            let promise = try #require(try archive.items("promises.json").first)
            #expect(promise["status"] as? String == "FINAL" && promise["meetsAt"] as? String == "2026-11-21T09:00:00Z")
            let arrival = try #require(promise["explanation"] as? [String: any Sendable])
            #expect(arrival["source"] as? String == "GPS" && arrival["secondsFromMeeting"] as? Int == -1)
            let evidence = try #require(arrival["evidence"] as? [String: any Sendable])
            #expect(evidence["clause"] as? String == "SETTLED" && evidence["fixCount"] as? Int == 4)
            let result = try #require(promise["result"] as? [String: any Sendable])
            #expect((result["rows"] as? [[String: any Sendable]])?.count == 2)
            let visit = try #require(try archive.items("visits.json").first { $0["source"] as? String == "HAND" })
            #expect(visit["memo"] as? String == "Memo of 1\nsecond line" && visit["audience"] as? String == "PRIVATE")
            #expect(visit["localDate"] as? String == "2026-11-21")
            let companions = try #require(visit["companions"] as? [[String: any Sendable]])
            #expect((companions.first?["user"] as? [String: any Sendable])?["nickname"] as? String == "User_2")
            let photo = try #require((visit["photos"] as? [[String: any Sendable]])?.first)
            #expect(archive.entries[try #require(photo["file"] as? String)] != nil)
        }
    }

    @Test(.proves("17.11"), .defends("exported-others"))
    func `contains only cards and parts of other users`() async throws {
        try await Self.run { world in
            let archive = try await world.entries()
            for own in ["user1@example.org", "Memo of 1", "Course of 1", "phone of 1", "Status of 1", "User_2"] {
                #expect(archive.contains(own), "\(own)")
            }
            let foreign = [
                "user2@example.org", "Memo of 2", "Course of 2", "phone of 2", "Status of 2", "Place of 2",
                "Favourite of 2", "Recording of 2", "36.246", "125.530", "hash 1", "User_3",
            ]
            for text in foreign { #expect(!archive.contains(text), "\(text)") }
        }
    }

    @Test(.defends("exported-others"))
    func `contains invitations without result and no declined promises`()
        async throws
    {
        try await ExportWorld.run { world in
            let parts: [Participant] = [.invited(.user(1)), .declined(.user(1)), .left(.user(1), at: .meeting)]
            for (index, part) in parts.enumerated() {
                let promise = Promise.sample(number: UInt64(index + 1), owner: .user(2))
                let people = [Participant.accepted(.user(2)), part]
                _ = try await world.store.promises.createPromise(
                    promise,
                    participants: people,
                    events: [],
                    key: "\(index)",
                    contentHash: [1],
                    now: promise.createdAt
                )
                var commit = SessionCommit(promiseID: promise.id)
                commit.mark = .final
                commit.result = PromiseResult(deciding: promise, participants: people, arrivals: [:])
                _ = try await world.store.sessions.commit(
                    commit,
                    ownerEpoch: try await world.store.sessions.activate(promise.id)
                )
            }
            let items = try await world.entries().items("promises.json")
            let shown = items.map { ($0["promiseId"] as? String ?? "", $0["result"] != nil) }
            let expected = [("\(Promise.sample(number: 1).id)", false), ("\(Promise.sample(number: 3).id)", true)]
            #expect(shown.count == 2 && zip(shown, expected).allSatisfy { $0 == $1 })
        }
    }

    @Test func `the GPX files read back equal to the points of the courses`() async throws {
        try await Self.run { world in
            let archive = try await world.entries()
            for (name, count) in [("0002 To the pier   a b", 200), ("0001 Café", 400)] {
                let bytes = try #require(archive.entries["courses/\(name).gpx"])
                let read = try GPXFile(bytes).document
                let points = read.tracks.flatMap(\.segments).flatMap(\.self)
                let track = Track.exported(of: 1, count)
                #expect(points.count == count && read.tracks.first?.segments.count == 2)
                for (point, original) in zip(points, track.points) {
                    #expect(abs(point.coordinate.latitude - original.coordinate.latitude) <= 0.5e-7 + 1e-12)
                    #expect(point.time == original.time)
                }
            }
        }
    }

    @Test func `makes an archive of empty lists for an empty account`() async throws {
        try await ExportWorld.run { world in
            let archive = try await world.entries()
            for name in archive.entries.keys where name.hasSuffix(".json") && name != "account.json" {
                #expect(try archive.items(name).isEmpty, "\(name)")
            }
            #expect(archive.entries.count == 10)
        }
    }

    @Test func `the guide names each field of each file`() async throws {
        try await Self.run { world in
            let archive = try await world.entries()
            let guide = String(decoding: try #require(archive.entries["README.txt"]), as: UTF8.self)
            for (name, bytes) in archive.entries where name.hasSuffix(".json") {
                let object = try JSONSerialization.jsonObject(with: Data(bytes))
                for key in Self.keys(of: object) {
                    #expect(guide.firstRange(of: try Regex("\\b\(key)\\b")) != nil, "\(key) of \(name)")
                }
                #expect(guide.contains(name.hasPrefix("positions/") ? "positions/<promiseId>.json" : name))
            }
        }
    }

    private static func keys(of value: Any) -> Set<String> {
        if let list = value as? [Any] { return Set(list.flatMap(keys)) }
        guard let object = value as? [String: Any] else { return [] }
        return Set(object.keys).union(object.values.flatMap(keys))
    }

    @Test(
        .defends("archive-paths"),
        arguments: [
            ("a/b\\c:d", "courses/0007 a b c d.gpx"), ("../..", "courses/0007.gpx"), ("../x", "courses/0007 .. x.gpx"),
            ("x\u{202E}y\u{7}", "courses/0007 x y.gpx"),
            ("...", "courses/0007.gpx"), ("바다로", "courses/0007 바다로.gpx"),
            (String(repeating: "가", count: 60), "courses/0007 \(String(repeating: "가", count: 40)).gpx"),
        ]
    )
    func `makes safe file names`(title: String, name: String) throws {
        #expect(ExportName.course(7, title) == name)
        var (zip, output) = (ZIPWriter(), [UInt8]())
        try zip.add(name, [], modified: .meeting, into: &output)
    }
}
