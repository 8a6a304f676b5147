import PromisedConcurrency
import Testing

@testable import PromisedTransport

@Suite struct EnteringTests {
    /// An actor that lives on a thread of its own, which never starts: calls are handled as after its end.
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

    @Test func `nobody else does`() async {
        await #expect(processExitsWith: .failure) { _ = Resident().entered(with: 1) { $0.add($1) } }
    }
}
