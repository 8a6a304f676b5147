import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct FixStoreTests {
    static let phone = DeviceKey(deviceID: "phone", bootID: "boot")

    @Test func `recalls written fixes by device, sorted by time`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let promises = [Promise.sample(number: 1), .sample(number: 2)]
            for promise in promises { try await store.open(promise) }
            let late = SettledFix.sample(seq: 1, at: .meeting + .seconds(9), metres: 1)
            let early = SettledFix.sample(seq: 2, at: .meeting, metres: 2, speed: 1.5)
            let watch = SettledFix.sample(seq: 1, at: .meeting, metres: 3)
            let written = try await store.fixes.writeFixes([
                promises[0].id: [.sample(late), .sample(watch, device: "watch")], promises[1].id: [.sample(watch)],
            ])
            #expect(written == 3)
            #expect(try await store.fixes.writeFixes([promises[0].id: [.sample(early)]]) == 1)
            #expect(try await store.recall(of: promises[0]) == [early, late])
            #expect(try await store.recall(of: promises[1]) == [watch])
            #expect(try await store.recall(of: promises[0], user: 2) == [])
            let all = try await store.sessions.snapshot(of: promises[0].id, withFixes: true)?.fixes
            #expect(Set(all ?? []) == [.sample(late), .sample(early), .sample(watch, device: "watch")])
        }
    }

    /// Short reads with others, long ones separately.
    @Test(.proves("5.25"), arguments: [0, 5_000])
    func `folds fixes chunk by chunk, late ones included`(more: Int) async throws {
        try await withStore(users: 1...2) { store async throws in
            let promise = Promise.sample(number: 1)
            try await store.open(promise, with: [.accepted(.user(2))])
            func fix(_ seq: Int, at second: Double, _ user: UInt64 = 1) -> ArchivedFix {
                let fix = SettledFix.sample(seq: UInt32(seq), at: .meeting + .seconds(second), metres: 300)
                return ArchivedFix(userID: .user(user), device: Self.phone, fix: fix)
            }
            let chunks = [
                [fix(1, at: 0), fix(2, at: 5), fix(1, at: 0, 2)], [fix(3, at: 3_000), fix(2, at: 3_000, 2)],
                [fix(4, at: -300), fix(5, at: 3_005), fix(3, at: -200, 2)],
                (0..<more).map { fix(6 + $0, at: 10 + 0.1 * Double($0)) },
            ]
            for chunk in chunks { try await store.fixes.writeFixes([promise.id: chunk]) }
            let bare = try #require(try await store.sessions.snapshot(of: promise.id, withFixes: false))
            var expected = KeptFixes(of: bare)
            for chunk in chunks { expected.fold(chunk) }
            #expect(expected.late == [.user(1), .user(2)])
            for user in expected.late {
                expected.refold(user, from: chunks.flatMap { $0 }.filter { $0.userID == user })
            }
            #expect(try await store.sessions.keptFixes(of: bare, limits: FixLimits()) == expected)
        }
    }

    @Test func `omits fixes of unknown promises`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.open(.sample(number: 1))
            let fix = ArchivedFix.sample(.sample(seq: 1, at: .meeting, metres: 1))
            let known = Promise.sample(number: 1).id
            #expect(try await store.fixes.writeFixes([known: [fix], Promise.sample(number: 2).id: [fix, fix]]) == 1)
            #expect(try await store.fixes.writeFixes([known: []]) == 0)
            #expect(try await store.fixes.writeFixes([:]) == 0)
        }
    }

    @Test(.proves("5.20"))
    func `deletes positions only after the retention from the result or cancellation`() async throws {
        try await withStore(users: 1...2) { store async throws in
            var promises = (1...3 as ClosedRange<UInt64>).map { Promise.sample(number: $0) }
            promises[1].cancelledAt = promises[1].settlesAt
            for promise in promises {
                let epoch = try await store.open(promise, with: [.invited(.user(2))])
                try await store.fixes.writeFixes([promise.id: [.sample(.sample(seq: 1, at: .meeting, metres: 1))]])
                guard promise.id == promises[0].id else { continue }
                var commit = SessionCommitTests.final(of: promise)
                commit.fixes = []
                try await store.sessions.commit(commit, ownerEpoch: epoch)
            }
            let final = promises[0].settlesAt
            #expect(try await store.fixes.deleteFixes(ofPromisesFinalBefore: final).promises == 0)
            let deleted = try await store.fixes.deleteFixes(ofPromisesFinalBefore: final + .milliseconds(1))
            #expect(deleted == (promises: 2, isLogEmpty: true))
            #expect(try await store.recall(of: promises[0]) == [])
            #expect(try await store.recall(of: promises[1]) == [])
            #expect(try await store.recall(of: promises[2]).count == 1)
            #expect(try await store.promises.result(of: promises[0].id) != nil)
            #expect(try await store.sessions.snapshot(of: promises[0].id, withFixes: true)?.arrivals.count == 1)
        }
    }

    @Test(.proves("5.20")) func `deletes the positions of many old promises in one call`() async throws {
        try await withStore(users: 1...1) { store async throws in
            for number in 1...40 as ClosedRange<UInt64> {
                var promise = Promise.sample(number: number)
                promise.cancelledAt = .meeting
                try await store.open(promise)
                try await store.fixes.writeFixes([promise.id: [.sample(.sample(seq: 1, at: .meeting, metres: 1))]])
            }
            #expect(try await store.fixes.deleteFixes(ofPromisesFinalBefore: .meeting + .days(1)).promises == 40)
            #expect(try await store.read { db in try db.rows("SELECT id FROM fix").count } == 0)
        }
    }

    @Test(.proves("5.20")) func `leaves no deleted position in the files`() async throws {
        try await withStore(users: 1...1) { store, directory async throws in
            var promise = Promise.sample()
            promise.cancelledAt = .meeting
            try await store.open(promise)
            let coordinate = Coordinate(latitude: 37.556_123_456_789, longitude: 126.972_345_678_912)
            let trace = withUnsafeBytes(of: coordinate.latitude.bitPattern.littleEndian) { Array($0) }
            for seq in 1...300 as ClosedRange<UInt32> {
                var fix = SettledFix.sample(seq: seq, at: .meeting, metres: 1)
                fix.coordinate = coordinate
                try await store.fixes.writeFixes([promise.id: [.sample(fix)]])
            }
            let before = try directory.contains(trace)
            #expect(before)
            #expect(try await store.fixes.deleteFixes(ofPromisesFinalBefore: .meeting + .days(1)) == (1, true))
            let after = try directory.contains(trace)
            #expect(!after)
        }
    }
}

extension Store {
    fileprivate func recall(of promise: Promise, user: UInt64 = 1) async throws -> [SettledFix] {
        let source = FixSource(promiseID: promise.id, userID: .user(user), device: FixStoreTests.phone)
        return try await fixes.fold(source, with: [], into: [SettledFix]()) { $0 += $1 }
    }
}
