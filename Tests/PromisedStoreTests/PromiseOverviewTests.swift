import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct PromiseOverviewTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `pages of every status follow the domain's rule, in order of meeting`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let world = PromiseOverviewWorld(count: 60, using: &generator)
        let instants = world.instants(count: 8, using: &generator)
        try await withStore(users: 1...3) { store async throws in
            try await world.fill(store)
            for (index, now) in instants.enumerated() {
                for status in [nil] + PromiseStatus.allCases.map(Optional.some) {
                    for user in [nil, .user(1), .user(2)] as [UserID?] {
                        let limit = [1, 7, 50][index % 3]
                        let found = try await allPages(of: user, with: status, at: now, limit: limit, in: store)
                        let expected = world.expected(of: user, with: status, at: now)
                        #expect(found == expected, "seed \(seed), \(now), \(String(describing: status))")
                    }
                }
            }
            #expect(try await store.upkeep.verify() == [])
        }
    }

    @Test(arguments: PromiseStatus.allCases)
    func `a clock has the status of the domain's rule`(status: PromiseStatus) {
        let all = [WindowSpans(), WindowSpans(before: .minutes(1), after: .zero, settle: .zero)]
        for spans in all {
            let clock = PromiseClock.running(spans)
            let now = Instant.meeting
            for edge in [-spans.before, spans.after, spans.after + spans.settle] {
                for offset in -2...2 as ClosedRange<Int64> {
                    let meetsAt = now - edge + .milliseconds(offset)
                    let promise = Promise.sample(meetsAt: meetsAt, spans: spans)
                    let isInRange = clock.meetings(with: status, at: now)?.contains(meetsAt) ?? false
                    #expect(isInRange == (promise.status(at: now) == status), "\(spans), \(edge), \(offset)")
                }
            }
            #expect((PromiseClock.cancelled.meetings(with: status, at: now) != nil) == (status == .cancelled))
        }
    }

    @Test(arguments: ["", "cancelle", "1 2", "1 2 3 4", "1  2", "1 2 x", " 1 2 3"])
    func `rejects other texts as clocks`(text: String) {
        #expect(PromiseClock(text) == nil)
        let spans = WindowSpans(before: .milliseconds(1), after: .milliseconds(2), settle: .milliseconds(3))
        #expect(PromiseClock("1 2 3") == .running(spans))
        #expect(PromiseClock("cancelled") == .cancelled)
    }

    @Test(arguments: [
        (PromiseOverviewQuery.nextClock(ofUser: true), "COVERING INDEX participant_by_clock (user_id=? AND clock>?)"),
        (PromiseOverviewQuery.nextClock(ofUser: false), "INDEX promise_by_clock (<expr>>?)"),
        (
            PromiseOverviewQuery.keys(ofUser: true, underClock: true),
            "COVERING INDEX participant_by_clock (user_id=? AND clock=? AND meets_at>? AND (meets_at,promise_id)<(?,?))"
        ),
        (
            PromiseOverviewQuery.keys(ofUser: false, underClock: true),
            "INDEX promise_by_clock (<expr>=? AND meets_at>? AND (meets_at,id)<(?,?))"
        ),
        (
            PromiseOverviewQuery.keys(ofUser: true, underClock: false),
            "COVERING INDEX participant_by_meeting (user_id=? AND (meets_at,promise_id)<(?,?))"
        ),
        (
            PromiseOverviewQuery.keys(ofUser: false, underClock: false),
            "COVERING INDEX promise_by_meeting ((meets_at,id)<(?,?))"
        ),
    ])
    func `a page reads a range of its index, in order`(sql: String, index: String) async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: sql)
            #expect(plan.count == 1 && plan.allSatisfy { $0.hasPrefix("SEARCH") && $0.hasSuffix(index) }, "\(plan)")
        }
    }

    /// The ids of all pages, one after the other.
    private func allPages(
        of user: UserID?,
        with status: PromiseStatus?,
        at now: Instant,
        limit: Int,
        in store: Store
    ) async throws -> [PromiseID] {
        var found: [PromiseID] = []
        var cursor: PromiseCursor?
        repeat {
            let page = try await store.administration.promises(
                of: user,
                with: status,
                at: now,
                after: cursor,
                limit: limit
            )
            #expect(page.items.count <= limit)
            #expect(page.next == nil || page.next == page.items.last?.cursor)
            found += page.items.map(\.promise.id)
            cursor = try page.next.map { try #require(PromiseCursor($0.description)) }
        } while cursor != nil
        return found
    }
}

/// Random promises under several spans, some of them moved or cancelled since, and the lists that an administrator must
/// get of them.
private struct PromiseOverviewWorld {
    /// Their final states, each with its owner and perhaps another participant.
    private var promises: [(promise: Promise, other: Participant?)] = []
    /// The initial states of those that have changed since.
    private var earlier: [PromiseID: Promise] = [:]

    init(count: UInt64, using generator: inout SeededGenerator) {
        for number in 1...count {
            var promise = Promise.sample(
                number: number,
                owner: .user(.random(in: 1...2, using: &generator)),
                meetsAt: PromiseOverviewWorld.time(using: &generator),
                spans: PromiseOverviewWorld.spans.randomElement(using: &generator) ?? WindowSpans()
            )
            let created = promise
            if Bool.random(using: &generator) { promise.meetsAt = PromiseOverviewWorld.time(using: &generator) }
            if Int.random(in: 0..<4, using: &generator) == 0 { promise.cancelledAt = promise.createdAt }
            if Int.random(in: 0..<4, using: &generator) == 0 {
                promise.spans = PromiseOverviewWorld.spans.randomElement(using: &generator) ?? WindowSpans()
            }
            if Bool.random(using: &generator) { earlier[promise.id] = created }
            let other = UserID.user(promise.ownerID == .user(1) ? 2 : 1)
            let parts: [Participant] = [.accepted(other), .declined(other)]
            promises.append((promise, Bool.random(using: &generator) ? parts.randomElement(using: &generator) : nil))
        }
    }

    /// Creates all of them, and makes the changes.
    func fill(_ store: Store) async throws {
        for (promise, other) in promises {
            let epoch = try await store.open(earlier[promise.id] ?? promise, with: other.map { [$0] } ?? [])
            guard earlier[promise.id] != nil else { continue }
            var commit = SessionCommit(promiseID: promise.id)
            commit.promise = promise
            try await store.sessions.commit(commit, ownerEpoch: epoch)
        }
    }

    /// Instants at and around those at which a promise's status changes.
    func instants(count: Int, using generator: inout SeededGenerator) -> [Instant] {
        (0..<count).map { _ in
            guard let promise = promises.randomElement(using: &generator)?.promise else { return .meeting }
            let edges = [promise.opensAt, promise.closesAt, promise.settlesAt]
            let edge = edges.randomElement(using: &generator) ?? .meeting
            return edge + .milliseconds(.random(in: -1...1, using: &generator))
        }
    }

    /// The promises of a user, or all, with a status, or any, latest meeting first.
    func expected(of user: UserID?, with status: PromiseStatus?, at now: Instant) -> [PromiseID] {
        let listed = promises.filter { promise, other in
            (user == nil || promise.ownerID == user || other?.userID == user)
                && (status == nil || promise.status(at: now) == status)
        }
        return listed.map(\.promise).sorted { ($0.meetsAt, $0.id) > ($1.meetsAt, $1.id) }.map(\.id)
    }

    private static func time(using generator: inout SeededGenerator) -> Instant {
        .meeting + .minutes(.random(in: -16...16, using: &generator) * 15)
    }

    private static let spans = [
        WindowSpans(), WindowSpans(before: .minutes(90), after: .minutes(45), settle: .minutes(30)),
        WindowSpans(before: .minutes(5), after: .zero, settle: .zero),
    ]
}
