import PromisedDomain

@testable import PromisedStore

/// A sink whose writes wait until a test lets them go, and fail when it says so.
actor GatedSink: FixSink {
    private(set) var writes: [[PromiseID: [ArchivedFix]]] = []
    private var isOpen = true
    private var failure: StoreError?
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private var begunCount = 0

    func writeFixes(_ fixes: [PromiseID: [ArchivedFix]]) async throws(StoreError) -> Int {
        begunCount += 1
        for watcher in watchers where watcher.count <= begunCount { watcher.continuation.resume() }
        watchers.removeAll { $0.count <= begunCount }
        if !isOpen { await withCheckedContinuation { held.append($0) } }
        if let failure { throw failure }
        writes.append(fixes)
        return fixes.values.reduce(0) { $0 + $1.count }
    }

    func recall(promise: PromiseID, user: UserID, device: DeviceKey) async throws(StoreError) -> [SettledFix] {
        writes.flatMap { $0[promise] ?? [] }.filter { $0.userID == user && $0.device == device }.map(\.fix).sorted()
    }

    /// Whether writes fail from now on, and with what.
    func fail(with failure: StoreError?) { self.failure = failure }

    /// Holds writes from now on.
    func close() { isOpen = false }

    /// Lets all held writes go.
    func open() {
        isOpen = true
        for continuation in held { continuation.resume() }
        held = []
    }

    /// Returns when so many writes have begun, counted from the first.
    func begun(_ count: Int) async {
        guard begunCount < count else { return }
        await withCheckedContinuation { watchers.append((count, $0)) }
    }
}
