import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct EventRecordTests {
    static let ranked = RankedArrival(userID: .user(1), arrival: SessionCommitTests.arrival, rank: 2)

    /// Each kind of event once; a new kind must be added here.
    static let all: [PromiseEvent] = [
        .invited(.user(1)), .joined(.user(1)), .declined(.user(1)), .left(.user(1)), .removed(.user(1)),
        .handedOver(.user(1)), .edited, .cancelled(reason: "It \"rains\""), .trackingStarted, .meetingTime,
        .late([.user(1), .user(2)]), .trackingEnded, .arrived(ranked), .arrivalConfirmed(ranked),
        .arrivalRetracted(.user(1), reason: .leftAgain), .rankingRevised([ranked], cause: .checkIn), .resultFinal,
        .excused(.user(1)), .viewLinkCreated(until: .meeting), .viewLinkRevoked,
    ]

    @Test func `reads stored events of earlier versions`() throws {
        let lines = try EventRecordTests.all.map { "\($0.traits.label) \(try StoredJSON.encode($0))" }
        try Golden.expect(lines.joined(separator: "\n") + "\n", matches: "events.txt")
    }

    @Test(.proves("2.20")) func `reads every event back unchanged, except for device names`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let epoch = try await store.open(.sample())
            var commit = SessionCommit(promiseID: Promise.sample().id)
            commit.events = EventRecordTests.all.enumerated().map { index, event in
                NumberedEvent(seq: index + 1, at: .meeting + .seconds(Double(index)), event: event)
            }
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            let expected = commit.events.map { NumberedEvent(seq: $0.seq, at: $0.at, event: $0.event.withoutDevices) }
            #expect(expected != commit.events)
            #expect(try await store.promises.events(of: commit.promiseID, after: 0, limit: 100) == expected)
            let bodies = try await store.read { db in
                try db.rows("SELECT body FROM promise_event").map { try $0.value(0) as String }
            }
            #expect(!bodies.contains { $0.contains("phone") })
        }
    }

    @Test func `an unreadable event is an error, not a gap`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...1)
        let epoch = try await store.open(.sample())
        var commit = SessionCommit(promiseID: Promise.sample().id)
        commit.events = [NumberedEvent(seq: 1, at: .meeting, event: .edited)]
        try await store.sessions.commit(commit, ownerEpoch: epoch)
        try await store.write { db in try db.run("UPDATE promise_event SET body = '{}'") }
        await #expect(throws: StoreError.damaged("A stored PromiseEvent cannot be read")) {
            _ = try await store.promises.events(of: commit.promiseID, after: 0, limit: 5)
        }
        try await store.close()
    }
}
