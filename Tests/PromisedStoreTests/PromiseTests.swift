import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct PromiseTests {
    @Test func `reads back a promise with every field`() async throws {
        try await withStore(users: 1...3) { store async throws in
            var promise = Promise.sample(
                penalty: Penalty(amount: 5_000, currency: "KRW"),
                rule: ArrivalRule(name: .firstFix, grace: .seconds(90), mock: .reject),
                spans: WindowSpans(before: .minutes(10), after: .hours(1), settle: .minutes(5))
            )
            promise.note = "Bring 🍰"
            promise.place = Place(
                name: "부두",
                address: "1 Pier Rd",
                coordinate: Coordinate(latitude: -0.1, longitude: 180)
            )
            promise.version = 7
            let participants = [Participant.invited(.user(3)), .accepted(.user(1)), .declined(.user(2))]
            let events = [
                NumberedEvent(seq: 1, at: promise.createdAt, event: .invited(.user(3))),
                NumberedEvent(seq: 2, at: promise.createdAt, event: .invited(.user(2))),
            ]
            #expect(try await store.create(promise, participants, events) == .created)
            let snapshot = SessionSnapshot(promise: promise, participants: participants, lastSeq: 2)
            #expect(try await store.sessions.snapshot(of: promise.id, withFixes: true) == snapshot)
            #expect(try await store.promises.events(of: promise.id, after: 0, limit: 10) == events)
            #expect(try await store.promises.events(of: promise.id, after: 1, limit: 10) == [events[1]])
            #expect(try await store.promises.events(of: promise.id, after: 0, limit: 1) == [events[0]])
            #expect(try await store.promises.events(of: promise.id, after: 2, limit: 10) == [])
            #expect(try await store.promises.membership(of: .user(2), in: promise.id) == .declined)
            #expect(try await store.promises.membership(of: .user(4), in: promise.id) == nil)
            #expect(try await store.promises.result(of: promise.id) == nil)
        }
    }

    @Test func `a promise keeps its place of the directory, also when edited`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let ids = try await store.fill([.sample(1), .sample(2)]).seen
            let places = try await store.places.places(ids).map(\.listing.place)
            var promise = Promise.sample()
            promise.place = places[0]
            let epoch = try await store.open(promise)
            #expect(try await store.sessions.snapshot(of: promise.id, withFixes: false)?.promise.place == places[0])
            for place in [places[1], Place(name: "Elsewhere", coordinate: .meetingPlace)] {
                promise.place = place
                var commit = SessionCommit(promiseID: promise.id)
                commit.promise = promise
                try await store.sessions.commit(commit, ownerEpoch: epoch)
                #expect(try await store.sessions.snapshot(of: promise.id, withFixes: false)?.promise.place == place)
            }
        }
    }

    @Test func `an unknown promise is empty`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let id = Promise.sample().id
            #expect(try await store.sessions.snapshot(of: id, withFixes: true) == nil)
            #expect(try await store.promises.membership(of: .user(1), in: id) == nil)
            #expect(try await store.promises.events(of: id, after: 0, limit: 5) == [])
            await #expect(throws: StoreError.unknownPromise) { _ = try await store.sessions.activate(id) }
        }
    }

    /// The result of a second request of the same owner with the same key.
    @Test(
        .proves("4.6"),
        arguments: [
            (UInt8(1), TimeSpan.zero, PromiseCreation.existing(Promise.sample(number: 1).id)),
            (1, .hours(24) - .milliseconds(1), .existing(Promise.sample(number: 1).id)),
            (1, .hours(24), .created),
            (2, .zero, .keyReused),
            (2, .hours(24) - .milliseconds(1), .keyReused),
            (2, .hours(24), .created),
        ]
    )
    func `a key identifies one promise for a day`(hash: UInt8, later: TimeSpan, expected: PromiseCreation) async throws
    {
        try await withStore(users: 1...1) { store async throws in
            let meetsAt = Instant.meeting + .days(2)
            let now = Instant.meeting
            #expect(try await store.create(.sample(number: 1, meetsAt: meetsAt), key: "k", at: now) == .created)
            let second = Promise.sample(number: 2, meetsAt: meetsAt)
            let earlier = try await store.promises.earlierCreation(
                by: .user(1),
                key: "k",
                contentHash: [hash],
                now: now + later
            )
            #expect(earlier == (expected == .created ? nil : expected))
            #expect(try await store.create(second, key: "k", hash: [hash], at: now + later) == expected)
            #expect(
                try await (store.sessions.snapshot(of: second.id, withFixes: false) != nil) == (expected == .created)
            )
        }
    }

    @Test(.proves("4.6")) func `separates the keys of two owners`() async throws {
        try await withStore(users: 1...2) { store async throws in
            #expect(try await store.create(.sample(number: 1), key: "k") == .created)
            #expect(try await store.create(.sample(number: 2, owner: .user(2)), key: "k") == .created)
        }
    }

    @Test func `deletes exactly the expired keys`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let now = Instant.meeting - .days(1)
            #expect(try await store.create(.sample(number: 1), key: "k", at: now) == .created)
            try await store.promises.deleteKeys(at: now + .hours(24) - .milliseconds(1))
            #expect(try await store.create(.sample(number: 2), key: "k", at: now) == .existing(Promise.sample().id))
            try await store.promises.deleteKeys(at: now + .hours(24))
            #expect(try await store.create(.sample(number: 2), key: "k", at: now) == .created)
        }
    }

    @Test(.proves("4.3", "promise.limit"))
    func `the limit counts the owner's unfinished promises`() async throws {
        try await withStore(users: 1...2) { store async throws in
            var cancelled = Promise.sample(number: 1)
            cancelled.cancelledAt = .meeting - .hours(2)
            let over = Promise.sample(number: 2, meetsAt: .meeting - .days(1))
            #expect(try await store.create(cancelled) == .created)
            #expect(try await store.create(over) == .created)
            #expect(try await store.create(.sample(number: 3, owner: .user(2))) == .created)
            #expect(try await store.create(.sample(number: 4), limit: 2) == .created)
            #expect(try await store.create(.sample(number: 5), limit: 2) == .created)
            #expect(try await store.create(.sample(number: 6), limit: 2) == .limitReached)
            #expect(
                try await store.create(.sample(number: 5), key: "5", limit: 2)
                    == .existing(Promise.sample(number: 5).id)
            )
            let settles = Promise.sample(number: 4).settlesAt
            let next = Promise.sample(number: 7, meetsAt: .meeting + .days(1))
            #expect(try await store.create(next, at: settles - .milliseconds(1), limit: 2) == .limitReached)
            #expect(try await store.create(next, at: settles, limit: 2) == .created)
        }
    }

    @Test(.proves("4.3"))
    func `counts accepted promises until they are over or cancelled`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let theirs = Participant.accepted(.user(2))
            let samples = (1...UInt64(4)).map { Promise.sample(number: $0, owner: .user(2)) }
            #expect(try await store.create(samples[0], [theirs, .accepted(.user(1))]) == .created)
            #expect(try await store.create(samples[1], [theirs, .invited(.user(1))]) == .created)
            #expect(try await store.create(samples[2], [theirs, .accepted(.user(1))]) == .created)
            var past = samples[3]
            past.meetsAt = .meeting - .days(1)
            #expect(try await store.create(past, [theirs, .accepted(.user(1))]) == .created)
            #expect(try await store.create(.sample(number: 5)) == .created)
            #expect(try await store.promises.participations(of: .user(1), at: .meeting) == 3)
            var commit = SessionCommit(promiseID: samples[2].id)
            commit.promise = samples[2]
            commit.promise?.cancelledAt = .meeting
            try await store.sessions.commit(commit, ownerEpoch: try await store.sessions.activate(samples[2].id))
            #expect(try await store.promises.participations(of: .user(1), at: .meeting) == 2)
            let settles = samples[0].settlesAt
            #expect(try await store.promises.participations(of: .user(1), at: settles - .milliseconds(1)) == 2)
            #expect(try await store.promises.participations(of: .user(1), at: settles) == 0)
        }
    }

    @Test(.proves("4.3")) func `a user in two hundred promises cannot create another`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...199 {
                let theirs = Promise.sample(number: UInt64(number), owner: .user(2))
                let people = [Participant.accepted(.user(1)), .accepted(.user(2))]
                #expect(try await store.create(theirs, people, limit: 200) == .created)
            }
            #expect(try await store.create(.sample(number: 200)) == .created)
            #expect(try await store.create(.sample(number: 201)) == .limitReached)
        }
    }

    @Test func `rejects a write that violates a constraint as a whole`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let promise = Promise.sample()
            let gap = [NumberedEvent(seq: 2, at: .meeting, event: .edited)]
            await #expect(throws: StoreError.broken("Event 2 after event 0")) {
                _ = try await store.create(promise, [.accepted(.user(1))], gap)
            }
            await #expect(throws: StoreError.broken("A promise whose owner is not a participant")) {
                _ = try await store.create(promise, [.accepted(.user(2))])
            }
            await #expect(throws: StoreError.broken("FOREIGN KEY constraint failed")) {
                _ = try await store.create(promise, [.accepted(.user(1)), .invited(.user(9))])
            }
            #expect(try await store.sessions.snapshot(of: promise.id, withFixes: true) == nil)
            #expect(try await store.create(promise) == .created)
        }
    }
}

extension Store {
    fileprivate func create(
        _ promise: Promise,
        _ participants: [Participant]? = nil,
        _ events: [NumberedEvent] = [],
        key: String? = nil,
        hash: [UInt8] = [1],
        at now: Instant = .meeting - .hours(2),
        limit: Int = 100
    ) async throws(StoreError) -> PromiseCreation {
        try await promises.createPromise(
            promise,
            participants: participants ?? [.accepted(promise.ownerID)],
            events: events,
            key: key ?? promise.title.filter(\.isNumber),
            contentHash: hash,
            now: now,
            openLimit: limit
        )
    }
}
