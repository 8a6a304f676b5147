import PromisedConcurrency
import Testing

@testable import PromisedTransport

@Suite struct EnteringTests {
    /// An actor on a thread that never starts: its calls are handled as after the thread's end.
    private actor Resident {
        nonisolated let thread = ServiceThread()
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
        private var visits = 0

        init() { thread.cancel() }

        func enter(times: Int) -> Int { entered(with: times) { $0.add($1) } }

        func add(_ times: Int) -> Int {
            visits += times
            return visits
        }
    }

    @Test func `code on an actor's executor can enter the actor`() async {
        let resident = Resident()
        #expect(await resident.enter(times: 2) == 2)
        #expect(await resident.enter(times: 3) == 5)
    }

    @Test func `other code cannot enter it`() async {
        await #expect(processExitsWith: .failure) { _ = Resident().entered(with: 1) { $0.add($1) } }
    }
}
