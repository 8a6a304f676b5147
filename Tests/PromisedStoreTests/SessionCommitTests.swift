import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct SessionCommitTests {
    static let promise = Promise.sample(penalty: Penalty(amount: 100, currency: "EUR"))

    @Test(.proves("8.1")) func `stores all parts of a commit`() async throws {
        try await withOpenPromise { store, epoch in
            let commit = SessionCommitTests.final()
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            let snapshot = try #require(try await store.sessions.snapshot(of: commit.promiseID, withFixes: true))
            #expect(snapshot.promise == commit.promise)
            #expect(snapshot.participants == [.accepted(.user(1)), commit.participants[0]])
            #expect(snapshot.arrivals == commit.arrivals)
            #expect(snapshot.mark == .final)
            #expect(snapshot.lastSeq == 2)
            #expect(snapshot.result == commit.result)
            #expect(snapshot.fixes == commit.fixes)
            #expect(try await store.promises.events(of: commit.promiseID, after: 0, limit: 9) == commit.events)
            #expect(try await store.promises.result(of: commit.promiseID) == commit.result)
            let bare = try #require(try await store.sessions.snapshot(of: commit.promiseID, withFixes: false))
            #expect(bare.fixes == [] && bare.result == commit.result)
        }
    }

    @Test(.proves("5.18")) func `stores since when a participant shares again`() async throws {
        try await withOpenPromise { store, epoch in
            var commit = SessionCommit(promiseID: SessionCommitTests.promise.id)
            var participant = Participant.accepted(.user(1))
            for sharesFrom in [.meeting, .meeting + .seconds(60)] as [Instant] {
                participant.sharesFrom = sharesFrom
                commit.participants = [participant]
                try await store.sessions.commit(commit, ownerEpoch: epoch)
                let kept = try await store.sessions.snapshot(of: commit.promiseID, withFixes: false)
                #expect(kept?.participants.first { $0.userID == .user(1) } == participant)
            }
        }
    }

    @Test func `revises and retracts an arrival`() async throws {
        try await withOpenPromise { store, epoch in
            var commit = SessionCommit(promiseID: SessionCommitTests.promise.id)
            let arrival = SessionCommitTests.arrival
            commit.arrivals = [.user(1): arrival]
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            var revised = arrival
            revised.stage = .confirmed
            revised.creditedAt = .meeting - .seconds(20)
            revised.source = .peer
            revised.evidence = nil
            commit.arrivals = [.user(1): revised]
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            #expect(try await store.arrivals() == [.user(1): revised])
            commit.arrivals = [:]
            commit.retracted = [.user(1), .user(2)]
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            #expect(try await store.arrivals() == [:])
        }
    }

    @Test(.proves("6.26")) func `stores, revises and parts pairs that came together`() async throws {
        try await withOpenPromise { store, epoch in
            var before: [UserPair: CameTogether] = [:]
            func commit(_ pairs: [CameTogether]) async throws {
                var commit = SessionCommit(promiseID: SessionCommitTests.promise.id)
                let after = Dictionary(uniqueKeysWithValues: pairs.map { ($0.pair, $0) })
                commit.participants = [.accepted(.user(3))]
                commit.together = TogetherChange(from: before, to: after)
                try await store.sessions.commit(commit, ownerEpoch: epoch)
                before = after
                let snapshot = try #require(try await store.sessions.snapshot(of: commit.promiseID, withFixes: false))
                #expect(snapshot.together == pairs)
            }
            func found(_ one: UInt64, _ other: UInt64, metres: Double) -> CameTogether {
                CameTogether(
                    pair: UserPair(.user(one), .user(other)),
                    medianDistanceMetres: metres,
                    limitMetres: 42.5,
                    momentCount: 48,
                    creditedAt: .meeting - .milliseconds(1_234)
                )
            }
            try await commit([found(1, 2, metres: 9.123_456_789)])
            try await commit([found(1, 2, metres: 0), found(2, 3, metres: 80)])
            try await commit([found(2, 3, metres: 80)])
            try await commit([])
        }
    }

    @Test(.proves("9.5"))
    func `stores the last reminder of each pair for a minute, and none of a finished promise`() async throws {
        try await withOpenPromise { store, epoch in
            func nudge(_ from: UInt64, _ to: UInt64, at second: Double) -> Nudge {
                Nudge(from: .user(from), to: .user(to), at: .meeting + .seconds(second))
            }
            func kept(after nudges: [Nudge]) async throws -> Set<Nudge> {
                var commit = SessionCommit(promiseID: SessionCommitTests.promise.id)
                commit.nudges = nudges
                try await store.sessions.commit(commit, ownerEpoch: epoch)
                let snapshot = try await store.sessions.snapshot(of: commit.promiseID, withFixes: false)
                return Set(try #require(snapshot).nudges)
            }
            let first = [nudge(1, 2, at: 0), nudge(2, 1, at: 1)]
            #expect(try await kept(after: first) == Set(first))
            #expect(try await kept(after: [nudge(1, 3, at: 59.999)]) == Set(first + [nudge(1, 3, at: 59.999)]))
            // Nudges older than a minute do not count; a pair's second nudge replaces its first.
            let later = nudge(1, 2, at: 60)
            #expect(try await kept(after: [later]) == [nudge(2, 1, at: 1), nudge(1, 3, at: 59.999), later])
            try await store.sessions.commit(SessionCommitTests.final(), ownerEpoch: epoch)
            #expect(try await kept(after: []).isEmpty)
        }
    }

    @Test func `fences a former owner off`() async throws {
        try await withOpenPromise { store, epoch in
            #expect(epoch == 1)
            #expect(try await store.sessions.activate(SessionCommitTests.promise.id) == 2)
            await #expect(throws: StoreError.fenced) {
                try await store.sessions.commit(SessionCommitTests.final(), ownerEpoch: epoch)
            }
            await #expect(throws: StoreError.fenced) {
                try await store.sessions.commit(SessionCommitTests.final(), ownerEpoch: 3)
            }
            #expect(try await store.sessions.snapshot(of: SessionCommitTests.promise.id, withFixes: true)?.lastSeq == 0)
            try await store.sessions.commit(SessionCommitTests.final(), ownerEpoch: 2)
        }
    }

    @Test(.proves("9.7"), arguments: Breach.all) func `a violation writes nothing`(_ breach: Breach) async throws {
        try await withOpenPromise { store, epoch in
            var earlier = SessionCommit(promiseID: SessionCommitTests.promise.id)
            earlier.events = [NumberedEvent(seq: 1, at: .meeting, event: .edited)]
            earlier.mark = .opened
            try await store.sessions.commit(earlier, ownerEpoch: epoch)
            let before = try await store.sessions.snapshot(of: earlier.promiseID, withFixes: true)

            var commit = SessionCommitTests.final()
            commit.events = [NumberedEvent(seq: 2, at: .meeting, event: .resultFinal)]
            breach.commit(&commit)
            await #expect(throws: breach.error) { try await store.sessions.commit(commit, ownerEpoch: epoch) }
            #expect(try await store.sessions.snapshot(of: earlier.promiseID, withFixes: true) == before)
        }
    }

    @Test(.proves("8.2")) func `rejects a second result`() async throws {
        try await withOpenPromise { store, epoch in
            var commit = SessionCommitTests.final()
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            commit.events = []
            commit.result?.finalAt = .meeting
            await #expect(throws: StoreError.broken("A second result")) {
                try await store.sessions.commit(commit, ownerEpoch: epoch)
            }
            #expect(try await store.promises.result(of: commit.promiseID) == SessionCommitTests.final().result)
        }
    }

    @Test func `sessions are due from their opening until they have a result or are cancelled`() async throws {
        try await withStore(users: 1...2) { store async throws in
            var promises: [Promise] = []
            for number in 1...4 as ClosedRange<UInt64> {
                promises.append(.sample(number: number, meetsAt: .meeting + .hours(Int64(4 - number))))
            }
            promises[1].cancelledAt = .meeting
            for promise in promises.dropLast() { try await store.open(promise) }
            let epoch = try await store.open(promises[3], with: [.invited(.user(2))])
            let first = promises[3].opensAt
            #expect(try await store.sessions.dueSessions(before: first - .milliseconds(1)) == [])
            #expect(try await store.sessions.dueSessions(before: first) == [promises[3].id])
            #expect(try await store.sessions.nextOpening(after: first - .milliseconds(1)) == first)
            #expect(try await store.sessions.nextOpening(after: first) == promises[2].opensAt)
            #expect(
                try await store.sessions.dueSessions(before: .meeting + .days(9)) == [3, 2, 0].map { promises[$0].id }
            )
            #expect(try await store.sessions.nextOpening(after: promises[0].opensAt) == nil)

            var commit = SessionCommitTests.final(of: promises[3])
            commit.promise = nil
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            #expect(
                try await store.sessions.dueSessions(before: .meeting + .days(9)) == [2, 0].map { promises[$0].id }
            )
        }
    }

    /// One fault in an otherwise valid commit, after event 1 and the mark `opened`.
    struct Breach: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var error: StoreError
        var commit: @Sendable (inout SessionCommit) -> Void

        static let all = [
            Breach(testDescription: "a gap", error: .broken("Event 3 after event 1")) { $0.events[0].seq = 3 },
            Breach(testDescription: "a repetition", error: .broken("Event 1 after event 1")) { $0.events[0].seq = 1 },
            Breach(testDescription: "a gap inside", error: .broken("Event 4 after event 2")) {
                $0.events.append(NumberedEvent(seq: 4, at: .meeting, event: .edited))
            },
            Breach(testDescription: "a result before the end", error: .broken("A result without the final mark")) {
                $0.mark = .closed
            },
            Breach(testDescription: "a mark that goes back", error: .broken("A clock mark that moves backwards")) {
                $0.result = nil
                $0.mark = ClockMark.none
            },
            Breach(testDescription: "an arrival of a stranger", error: .broken("FOREIGN KEY constraint failed")) {
                $0.arrivals[.user(3)] = SessionCommitTests.arrival
            },
            Breach(
                testDescription: "written and retracted",
                error: .broken("An arrival that is both written and retracted")
            ) {
                $0.retracted = [.user(1)]
            },
            Breach(testDescription: "another's result", error: .broken("A result of another promise")) {
                $0.result?.promiseID = Promise.sample(number: 2).id
            },
            Breach(testDescription: "another promise", error: .broken("A commit that concerns two promises")) {
                $0.promise = .sample(number: 2)
            },
            Breach(testDescription: "an unknown promise", error: .unknownPromise) {
                $0 = SessionCommit(promiseID: Promise.sample(number: 2).id)
            },
            Breach(testDescription: "an unknown user", error: .broken("FOREIGN KEY constraint failed")) {
                $0.participants.append(.invited(.user(9)))
            },
        ]
    }
}

extension SessionCommitTests {
    static let arrival = Arrival(
        stage: .provisional,
        creditedAt: .meeting - .seconds(10),
        source: .gps,
        evidence: ArrivalEvidence(
            device: DeviceKey(deviceID: "phone", bootID: "b"),
            clause: .settled,
            provisionalAt: .meeting,
            confirmedAt: nil,
            firstInside: .init(time: .meeting - .seconds(10), distanceMetres: 49.123456789),
            lastOutside: .init(time: .meeting - .seconds(15), distanceMetres: 51),
            fixCount: 3,
            strongCount: 1
        )
    )

    /// A commit with all kinds of changes: user 2 accepts, user 1 arrives, the result is final.
    static func final(of promise: Promise = promise) -> SessionCommit {
        var commit = SessionCommit(promiseID: promise.id)
        commit.promise = promise
        commit.promise?.title = "Changed"
        commit.participants = [.accepted(.user(2))]
        commit.arrivals = [.user(1): arrival]
        commit.events = [
            NumberedEvent(seq: 1, at: .meeting, event: .joined(.user(2))),
            NumberedEvent(seq: 2, at: promise.settlesAt, event: .resultFinal),
        ]
        commit.mark = .final
        commit.result = PromiseResult(
            promiseID: promise.id,
            meetsAt: promise.meetsAt,
            finalAt: promise.settlesAt,
            penalty: promise.penalty,
            rows: [
                PromiseResult.Row(
                    userID: .user(1),
                    outcome: .early,
                    creditedAt: arrival.creditedAt,
                    secondsFromMeeting: -10,
                    rank: 1,
                    source: .gps,
                    penaltyOwed: 0
                ),
                PromiseResult.Row(
                    userID: .user(2),
                    outcome: .noShow,
                    creditedAt: nil,
                    secondsFromMeeting: 0,
                    rank: 0,
                    source: nil,
                    penaltyOwed: 100,
                    excusedReason: "why"
                ),
            ]
        )
        commit.fixes = [.sample(.sample(seq: 1, at: .meeting, metres: 3))]
        return commit
    }

    private func withOpenPromise(_ body: (Store, Int) async throws -> Void) async throws {
        try await withStore(users: 1...3) { store async throws in
            let epoch = try await store.open(SessionCommitTests.promise, with: [.invited(.user(2))])
            try await body(store, epoch)
        }
    }
}

extension Store {
    fileprivate func arrivals() async throws -> [UserID: Arrival]? {
        try await sessions.snapshot(of: SessionCommitTests.promise.id, withFixes: false)?.arrivals
    }
}
