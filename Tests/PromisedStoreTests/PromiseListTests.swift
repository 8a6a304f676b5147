import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct PromiseListTests {
    static let me = UserID.user(1)
    static let opens = Promise.sample().opensAt
    static let closes = Promise.sample().closesAt
    static let settles = Promise.sample().settlesAt
    static let instant = TimeSpan.milliseconds(1)

    @Test(
        .proves("4.17"),
        arguments: [
            (opens - instant, PromiseList.upcoming), (opens, .tracking), (closes - instant, .tracking),
            (closes, .tracking),
            (settles - instant, .tracking), (settles, .past),
        ]
    )
    func `a promise moves from list to list by the clock`(now: Instant, list: PromiseList) async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.open(.sample(), with: [.invited(.user(2))])
            for candidate in PromiseList.allCases {
                let page = try await store.promises.promises(candidate, of: PromiseListTests.me, at: now, limit: 5)
                #expect(page.items.count == (candidate == list ? 1 : 0), "\(candidate)")
                #expect(page.next == nil)
            }
        }
    }

    @Test(arguments: [(opens, 1), (closes - instant, 1), (closes, 0)])
    func `lists an invitation until the window ends`(now: Instant, count: Int) async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.open(.sample(owner: .user(2)), with: [.invited(PromiseListTests.me)])
            let page = try await store.promises.promises(.invited, of: PromiseListTests.me, at: now, limit: 5)
            #expect(page.items.count == count)
            #expect(try await store.promises.unread(of: PromiseListTests.me, at: now).invitations == count)
        }
    }

    @Test func `an item contains the caller's part and the number of participants`() async throws {
        try await withStore(users: 1...5) { store async throws in
            let promise = Promise.sample(owner: .user(2))
            let mine = Participant.accepted(PromiseListTests.me)
            try await store.open(
                promise,
                with: [mine, .invited(.user(3)), .declined(.user(4)), .left(.user(5), at: .meeting)]
            )
            let page = try await store.promises.promises(
                .upcoming,
                of: PromiseListTests.me,
                at: .meeting - .hours(1),
                limit: 5
            )
            #expect(page.items == [ListedPromise(promise: promise, participant: mine, participantCount: 3)])
        }
    }

    @Test func `lists the promise as past for a participant who left after the opening`() async throws {
        try await withStore(users: 1...3) { store async throws in
            let opening = PromiseListTests.opens
            try await store.open(
                .sample(),
                with: [.left(.user(2), at: opening), .left(.user(3), at: opening - PromiseListTests.instant)]
            )
            for (user, count) in [(2, 1), (3, 0)] as [(UInt64, Int)] {
                let page = try await store.promises.promises(
                    .past,
                    of: .user(user),
                    at: PromiseListTests.settles,
                    limit: 5
                )
                #expect(page.items.count == count)
            }
        }
    }

    @Test(.proves("4.17"), arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `pages equal those of a naive model, in the same order`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let world = PromiseListWorld(count: 60, using: &generator)
        try await withStore(users: 1...2) { store async throws in
            try await world.fill(store)
            for list in PromiseList.allCases {
                for limit in [1, 7, 50] {
                    let found = try await allPages(of: list, limit: limit, in: store)
                    #expect(found == world.expected(list), "seed \(seed), \(list), limit \(limit)")
                }
            }
        }
    }

    @Test func `moving a promise moves it in the lists`() async throws {
        try await withStore(users: 1...1) { store async throws in
            var promise = Promise.sample()
            let epoch = try await store.open(promise)
            promise.meetsAt = .meeting + .days(3)
            promise.version = 2
            var commit = SessionCommit(promiseID: promise.id)
            commit.promise = promise
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            let later = PromiseListTests.settles
            let page = try await store.promises.promises(.upcoming, of: PromiseListTests.me, at: later, limit: 5)
            #expect(page.items.map(\.promise) == [promise])
            #expect(try await store.sessions.nextOpening(after: later) == promise.opensAt)
        }
    }

    @Test(.proves("4.5")) func `finds overlapping windows at their edges`() async throws {
        try await withStore(users: 1...3) { store async throws in
            let promise = Promise.sample()
            try await store.open(promise, with: [.invited(.user(2)), .accepted(.user(3))])
            func found(_ opens: Instant, _ closes: Instant, user: UInt64 = 1) async throws -> Int {
                try await store.promises.overlapping(user: .user(user), opensAt: opens, closesAt: closes).count
            }
            let (opens, closes, instant) = (promise.opensAt, promise.closesAt, PromiseListTests.instant)
            #expect(try await found(opens - .hours(1), opens) == 0)
            #expect(try await found(opens - .hours(1), opens + instant) == 1)
            #expect(try await found(closes - instant, closes + .hours(1)) == 1)
            #expect(try await found(closes, closes + .hours(1)) == 0)
            #expect(try await found(opens, closes, user: 2) == 0)
            #expect(try await found(opens, closes, user: 3) == 1)
            let others = try await store.promises.overlapping(
                user: .user(1),
                opensAt: opens,
                closesAt: closes,
                excluding: promise.id
            )
            #expect(others == [])
        }
    }

    @Test(.proves("4.5"))
    func `has room while fewer than twelve accepted windows share an instant`() async throws {
        try await withStore(users: 1...3) { store async throws in
            let samples = (1...12).map { Promise.sample(number: UInt64($0), owner: .user(2)) }
            for promise in samples.prefix(11) { try await store.open(promise, with: [.accepted(.user(1))]) }
            let window = samples[0].window
            #expect(try await store.promises.hasRoom(for: [.user(1), .user(2), .user(3)], in: window))
            try await store.open(samples[11], with: [.invited(.user(1))])
            #expect(try await store.promises.hasRoom(for: [.user(1)], in: window))
            #expect(try await store.promises.hasRoom(for: [.user(2)], in: window) == false)
            #expect(try await store.promises.hasRoom(for: [.user(1), .user(2)], in: window) == false)
            // The moved promise does not count, nor do windows that only touch.
            #expect(try await store.promises.hasRoom(for: [.user(2)], in: window, besides: samples[3].id))
            let (opens, closes, instant) = (window.lowerBound, window.upperBound, PromiseListTests.instant)
            #expect(try await store.promises.hasRoom(for: [.user(2)], in: closes..<closes + .hours(1)))
            #expect(
                try await store.promises.hasRoom(for: [.user(2)], in: closes - instant..<closes + .hours(1)) == false
            )
            #expect(try await store.promises.hasRoom(for: [.user(2)], in: opens - .hours(1)..<opens))
            #expect(try await store.promises.hasRoom(for: [.user(2)], in: opens - .hours(1)..<opens + instant) == false)
        }
    }

    @Test(.proves("4.5"))
    func `a promise with the longest spans occupies room until it closes, a cancelled one none`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let spans = WindowSpans(before: .hours(24), after: .hours(48), settle: .hours(24))
            #expect(spans.before + spans.after + spans.settle == WindowSpans.longest)
            let samples = (1...12).map { Promise.sample(number: UInt64($0), spans: spans) }
            for promise in samples { try await store.open(promise) }
            let (opens, closes, instant) = (samples[0].opensAt, samples[0].closesAt, PromiseListTests.instant)
            #expect(try await store.promises.hasRoom(for: [.user(1)], in: opens..<opens + instant) == false)
            #expect(try await store.promises.hasRoom(for: [.user(1)], in: closes - instant..<closes) == false)
            #expect(try await store.promises.hasRoom(for: [.user(1)], in: closes..<closes + instant))
            var commit = SessionCommit(promiseID: samples[5].id)
            commit.promise = samples[5]
            commit.promise?.cancelledAt = .meeting
            try await store.sessions.commit(commit, ownerEpoch: try await store.sessions.activate(samples[5].id))
            #expect(try await store.promises.hasRoom(for: [.user(1)], in: opens..<closes))
            #expect(try await store.promises.window(of: samples[0].id) == opens..<closes)
            #expect(try await store.promises.window(of: Promise.sample(number: 99).id) == nil)
        }
    }

    @Test func `lists all promises of a user by meeting, for any part`() async throws {
        try await withStore(users: 1...3) { store async throws in
            var expected: [PromiseID] = []
            for number in 1...7 as ClosedRange<UInt64> {
                let at = Instant.meeting + .hours(Int64(number / 2))
                let promise = Promise.sample(number: number, owner: .user(2), meetsAt: at)
                let others: [Participant] =
                    switch number {
                    case 1: [.invited(.user(1))]
                    case 2: [.declined(.user(1))]
                    case 3: [.left(.user(1), at: at)]
                    case 4: []
                    default: [.accepted(.user(1))]
                    }
                try await store.open(promise, with: others)
                if !others.isEmpty { expected.append(promise.id) }
            }
            for limit in 1...7 {
                var (found, cursor): ([PromiseID], PromiseCursor?) = ([], nil)
                repeat {
                    let page = try await store.promises.parts(of: .user(1), after: cursor, limit: limit)
                    (found, cursor) = (found + page.items, page.next)
                } while cursor != nil
                #expect(found == expected)
            }
            let plan = try await store.plan(of: PromiseListQuery.parts)
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH participant USING COVERING INDEX participant_by_meeting") })
        }
    }

    private func allPages(of list: PromiseList, limit: Int, in store: Store) async throws -> [PromiseID] {
        var found: [PromiseID] = []
        var cursor: PromiseCursor?
        repeat {
            let page = try await store.promises.promises(
                list,
                of: PromiseListTests.me,
                at: PromiseListWorld.now,
                after: cursor,
                limit: limit
            )
            #expect(page.items.count <= limit)
            found += page.items.map(\.promise.id)
            cursor = try page.next.map { try #require(PromiseCursor($0.description)) }
        } while cursor != nil
        return found
    }
}
