import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedEngine

/// The waiters for each commit, without a session.
struct CommitQueueTests {
    private var queue = CommitQueue<String>()

    private static let commit = SessionCommit(promiseID: Promise.sample().id)

    private mutating func ask(_ count: Int) {
        for _ in 0..<count { queue.ask(for: Self.commit) }
    }

    private static func texts(_ ended: [(waiter: String, outcome: CommitOutcome)]) -> [String] {
        ended.map { "\($0.waiter) \($0.outcome)" }
    }

    @Test mutating func `requests before a write share it`() {
        ask(3)
        #expect(queue.begin() != nil)
        #expect(queue.isWriting && queue.begin() == nil)
        queue.noteDurable()
        #expect(queue.end(with: .durable).isEmpty)
        #expect(queue.committed == 3 && queue.isSettled && queue.isIdle)
    }

    @Test mutating func `requests during a write share the next one, which the first waiter performs`() {
        ask(1)
        _ = queue.begin()
        queue.wait(for: 1, "early")
        ask(2)
        queue.wait(for: 2, "first")
        queue.wait(for: 3, "second")
        queue.noteDurable()
        #expect(Self.texts(queue.end(with: .durable)) == ["early durable", "first yourTurn"])
        #expect(queue.committed == 1 && !queue.isSettled && !queue.isIdle)
        #expect(queue.begin() != nil)
        queue.noteDurable()
        #expect(Self.texts(queue.end(with: .durable)) == ["second durable"])
        #expect(queue.committed == 3)
    }

    @Test mutating func `a failed write also fails the requests made during it`() {
        ask(1)
        _ = queue.begin()
        queue.wait(for: 1, "written")
        ask(1)
        queue.wait(for: 2, "queued")
        #expect(queue.giveUp() == ["queued"])
        #expect(Self.texts(queue.end(with: .failed)) == ["written failed"])
        #expect(queue.failures == 1 && queue.isIdle && queue.begin() == nil)
    }

    @Test mutating func `requests abandoned during a commit do not affect it`() {
        ask(1)
        _ = queue.begin()
        queue.wait(for: 1, "written")
        #expect(queue.giveUp() == [])
        queue.noteDurable()
        #expect(Self.texts(queue.end(with: .durable)) == ["written durable"])
    }

    @Test mutating func `a restarted queue is empty`() {
        ask(2)
        _ = queue.giveUp()
        #expect(!queue.isSettled)
        queue.restart()
        #expect(queue.isSettled && queue.committed == 2)
        ask(1)
        #expect(queue.issued == 3 && queue.begin() != nil)
    }
}
