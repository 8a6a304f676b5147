import PromisedDomain
import PromisedTestSupport
import Testing

@Suite struct SessionCommitTests {
    static let promise = Promise.sample()

    static func commit(_ change: (inout SessionCommit) -> Void) -> SessionCommit {
        var commit = SessionCommit(promiseID: promise.id)
        change(&commit)
        return commit
    }

    static func arrival(_ second: Double) -> Arrival {
        Arrival(stage: .provisional, creditedAt: .meeting + .seconds(second), source: .gps)
    }

    @Test func `a new commit is empty until it has a part`() {
        #expect(SessionCommit(promiseID: Self.promise.id).isEmpty)
        let fix = ArchivedFix(userID: .user(1), device: SessionWorld.phone, fix: Sight(0, 0).fix(seq: 1))
        let changes: [(inout SessionCommit) -> Void] = [
            { $0.promise = Self.promise }, { $0.mark = .opened }, { $0.participants = [.accepted(.user(1))] },
            { $0.arrivals = [.user(1): Self.arrival(0)] }, { $0.retracted = [.user(1)] }, { $0.fixes = [fix] },
            { $0.events = [NumberedEvent(seq: 1, at: .meeting, event: .meetingTime)] },
            { $0.result = PromiseResult(deciding: Self.promise, participants: [], arrivals: [:]) },
        ]
        for change in changes { #expect(!Self.commit(change).isEmpty) }
    }

    @Test func `the later of two commits wins, and events stay in order`() {
        let fix = ArchivedFix(userID: .user(1), device: SessionWorld.phone, fix: Sight(0, 0).fix(seq: 1))
        var merged = Self.commit {
            $0.mark = .opened
            $0.participants = [.accepted(.user(1)), .invited(.user(2))]
            $0.arrivals = [.user(1): Self.arrival(0), .user(2): Self.arrival(1)]
            $0.retracted = [.user(3)]
            $0.events = [NumberedEvent(seq: 1, at: .meeting, event: .trackingStarted)]
            $0.fixes = [fix]
        }
        merged.merge(
            Self.commit {
                $0.participants = [.accepted(.user(2))]
                $0.arrivals = [.user(1): Self.arrival(9), .user(3): Self.arrival(3)]
                $0.retracted = [.user(2)]
                $0.events = [NumberedEvent(seq: 2, at: .meeting, event: .meetingTime)]
                $0.fixes = [fix]
            }
        )
        #expect(merged.mark == .opened)
        #expect(merged.participants == [.accepted(.user(1)), .accepted(.user(2))])
        #expect(merged.arrivals == [.user(1): Self.arrival(9), .user(3): Self.arrival(3)])
        #expect(merged.retracted == [.user(2)])
        #expect(merged.events.map(\.seq) == [1, 2])
        #expect(merged.fixes.count == 2)
    }

    @Test func `keeps fields of the earlier commit that the later one lacks`() {
        var merged = Self.commit {
            $0.promise = Self.promise
            $0.mark = .final
            $0.result = PromiseResult(deciding: Self.promise, participants: [], arrivals: [:])
        }
        let before = merged
        merged.merge(SessionCommit(promiseID: Self.promise.id))
        #expect(merged == before)
    }

    @Test func `keeps the commits of two promises apart`() async {
        await #expect(processExitsWith: .failure) {
            var commit = SessionCommit(promiseID: PromiseID(high: 1, low: 1))
            commit.merge(SessionCommit(promiseID: PromiseID(high: 1, low: 2)))
        }
    }

    @Test func `sorts marks in the order of the clock`() {
        #expect(ClockMark.allCases == ClockMark.allCases.sorted())
        #expect(ClockMark.allCases == [.none, .opened, .met, .late, .closed, .final])
    }
}
