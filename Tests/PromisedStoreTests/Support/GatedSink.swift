import PromisedDomain
import PromisedTestSupport

@testable import PromisedStore

/// A sink whose writes wait until a test releases them, and fail on request.
actor GatedSink: FixSink {
    private(set) var writes: [[PromiseID: [ArchivedFix]]] = []
    private var isOpen = true
    private var failure: StoreError?
    private let openings = Signals<Void>()
    private let begun = Signals<Void>()

    func writeFixes(_ fixes: [PromiseID: [ArchivedFix]]) async throws(StoreError) -> Int {
        begun.note(())
        if !isOpen {
            let openedBefore = openings.all.count
            await openings.wait { $0.count > openedBefore }
        }
        if let failure { throw failure }
        writes.append(fixes)
        return fixes.values.reduce(0) { $0 + $1.count }
    }

    func fold<State: Sendable>(
        _ source: FixSource,
        with pending: [SettledFix],
        into state: State,
        _ take: @escaping @Sendable (inout State, [SettledFix]) -> Void
    ) async throws(StoreError) -> State {
        let durable = writes.flatMap { $0[source.promiseID] ?? [] }
            .filter { $0.userID == source.userID && $0.device == source.device }.map(\.fix)
        var state = state
        take(&state, Set(durable + pending).sorted())
        return state
    }

    /// The error with which writes fail from now on; nil lets them succeed.
    func fail(with failure: StoreError?) { self.failure = failure }

    /// Holds writes from now on, until they are released or their task is cancelled.
    func close() { isOpen = false }

    /// Releases all held writes.
    func open() {
        isOpen = true
        openings.note(())
    }

    /// Returns when this number of writes have begun, counted from the first.
    func begun(_ count: Int) async { await begun.wait { $0.count >= count } }
}
