import Foundation
import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// The traces of a deleted account in promises (domain §2).
@Suite(.timeLimit(.minutes(1))) struct TraceTests {
    @Test(.proves("2.20"), .defends("traces-of-deleted"))
    func `leaves no trace of an unreadable promise in the files`() async throws {
        try await withStore(users: 1...3) { store, directory async throws in
            for number in 1...20 as ClosedRange<UInt64> {
                try await store.abandon(.sample(number: number), by: .user(1))
            }
            try await store.abandon(.sample(number: 30, owner: .user(2)), by: .user(2))
            for trace in Promise.traces { #expect(try directory.contains(trace)) }
            _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.deletions.clearTraces(of: .user(1)).emptied.count == 20)
            #expect(try await store.deletions.clearTraces(of: .user(1)).emptied == [])
            try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            // Another's promise has the same texts.
            #expect(try directory.contains(Promise.traces[0]))
            _ = try await store.deletions.beginDeletion(of: .user(2), at: .meeting, subjectKey: { _ in [] })
            _ = try await store.deletions.clearTraces(of: .user(2))
            try await store.deletions.makeTombstone(of: .user(2), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.upkeep.truncateLog())
            for trace in Promise.traces {
                #expect(try !directory.contains(trace), "\(String(decoding: trace, as: UTF8.self))")
            }
            // Its times and participants remain.
            let snapshot = try #require(try await store.sessions.snapshot(of: Promise.sample().id, withFixes: false))
            #expect(snapshot.promise.meetsAt == .meeting && snapshot.promise.isEmptied)
            #expect(snapshot.participants.map(\.userID) == [.user(1)])
        }
    }

    /// Another participant, and `true` if they may still read the promise.
    static let others: [(Participant, Bool)] = [
        (.accepted(.user(2)), true), (.invited(.user(2)), true),
        (.left(.user(2), at: Promise.sample().opensAt), true),
        (.removed(.user(2), at: Promise.sample().opensAt), true),
        (.left(.user(2), at: Promise.sample().opensAt - .milliseconds(1)), false),
        (.declined(.user(2)), false),
    ]

    @Test(.proves("2.20"), .defends("traces-of-deleted"), arguments: others)
    func `empties a promise when its last reader is deleted`(other: Participant, mayRead: Bool) async throws {
        try await withStore(users: 1...2) { store async throws in
            let promise = try await store.abandon(.sample(), by: .user(1), with: [other])
            _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.deletions.clearTraces(of: .user(1)).emptied == (mayRead ? [] : [promise.id]))
            try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            let snapshot = try #require(try await store.sessions.snapshot(of: promise.id, withFixes: false))
            #expect(snapshot.promise.isEmptied == !mayRead)
            // The evidence names no device in either case.
            let evidence = try #require(snapshot.arrivals[.user(1)]?.evidence)
            var expected = try #require(SessionCommitTests.arrival.evidence)
            expected.device = DeviceKey(deviceID: "")
            #expect(evidence == expected)
            guard mayRead else { return }
            _ = try await store.deletions.beginDeletion(of: .user(2), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.deletions.clearTraces(of: .user(2)).emptied == [promise.id])
            try await store.deletions.makeTombstone(of: .user(2), at: .meeting, subjectKey: { _ in [] })
        }
    }

    @Test(.proves("2.20"))
    func `a late arrival contains no device of a deleted user`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let promise = Promise.sample(owner: .user(2))
            let epoch = try await store.open(promise, with: [.accepted(.user(1))])
            _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            var commit = SessionCommit(promiseID: promise.id)
            commit.arrivals = [.user(1): SessionCommitTests.arrival, .user(2): SessionCommitTests.arrival]
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            let arrivals = try await store.sessions.snapshot(of: promise.id, withFixes: false)?.arrivals
            #expect(arrivals?[.user(1)]?.evidence?.device == DeviceKey(deviceID: ""))
            #expect(arrivals?[.user(2)] == SessionCommitTests.arrival)
            try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
        }
    }

    @Test(.proves("2.20"))
    func `deletes many promises and events in parts, each of which leaves a consistent database`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...70 as ClosedRange<UInt64> {
                try await store.abandon(.sample(number: number), by: .user(1), events: number == 5 ? 2_500 : 3)
            }
            _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            var (parts, emptied, cursor) = (0, Set<PromiseID>(), PromiseCursor?.none)
            repeat {
                let part = try await store.deletions.clearTraces(of: .user(1), after: cursor)
                (parts, cursor) = (parts + 1, part.next)
                emptied.formUnion(part.emptied)
                #expect(try await store.upkeep.verify() == [])
            } while cursor != nil
            #expect(emptied.count == 70)
            #expect((4...12).contains(parts))
            #expect(try await store.count("promise_event") == 0)
            try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
        }
    }
}

extension Promise {
    private static let hidingPlace = Coordinate(latitude: 37.556_123_456_789, longitude: 126.972_345_678_912)

    /// The bytes of a promise of ``Store/abandon(_:by:with:events:)`` that must not be found after it is emptied.
    static var traces: [[UInt8]] {
        let coordinates = [hidingPlace.latitude, hidingPlace.longitude].map { degrees in
            withUnsafeBytes(of: degrees.bitPattern.bigEndian) { Array($0) }
        }
        let texts = ["A title that nobody finds", "A note that", "The hidden pier", "Hidden street 7", "Hidden rain"]
        return (texts + ["phone-of-nobody", "boot-of-nobody"]).map { Array($0.utf8) } + coordinates
    }

    /// The same with texts and a place that are searched for.
    fileprivate var withTraces: Promise {
        var promise = self
        (promise.title, promise.note) = ("A title that nobody finds", "A note that nobody finds")
        promise.place = Place(name: "The hidden pier", address: "Hidden street 7", coordinate: Promise.hidingPlace)
        return promise
    }
}

extension Store {
    /// Makes a promise with an arrival of its owner and cancels it.
    ///
    /// - Returns: the promise as it is stored.
    @discardableResult
    func abandon(
        _ sample: Promise,
        by owner: UserID,
        with others: [Participant] = [],
        events: Int = 1
    ) async throws -> Promise {
        var promise = sample.withTraces
        let epoch = try await open(promise, with: others)
        promise.cancelledAt = promise.createdAt
        promise.cancelReason = "Hidden rain"
        var arrival = SessionCommitTests.arrival
        if others.isEmpty {
            arrival.evidence?.device = DeviceKey(deviceID: "phone-of-nobody", bootID: "boot-of-nobody")
        }
        var commit = SessionCommit(promiseID: promise.id)
        commit.promise = promise
        commit.arrivals = [owner: arrival]
        commit.events = (1...events).map { seq in
            NumberedEvent(
                seq: seq,
                at: .meeting,
                event: seq == 1
                    ? .cancelled(reason: promise.cancelReason)
                    : .arrived(RankedArrival(userID: owner, arrival: arrival, rank: 1))
            )
        }
        try await sessions.commit(commit, ownerEpoch: epoch)
        try await promises.createInvite("CODE\(promise.id)", to: promise.id, expiresAt: nil, now: .meeting)
        return promise
    }
}
