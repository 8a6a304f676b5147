internal import Synchronization

/// How a transaction fails.
package enum DiskFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// SQLite cannot write (`SQLITE_IOERR`).
    case broken
    /// The disk is full (`SQLITE_FULL`).
    case full
}

/// The disk of a ``SimulatedStore``: how long its work takes, which transactions fail, and which tables change.
package final class SimulatedDisk: Sendable {
    private struct State {
        var faults: [DiskFault] = []
        /// The tables that the present transaction has changed.
        var touched: Set<String> = []
        var changed: Set<String> = []
    }

    private let state = Mutex(State())
    private let schedule: @Sendable (_ isWrite: Bool, @escaping @Sendable () -> Void) -> Void

    /// A disk without faults.
    ///
    /// - Parameter schedule: runs a read or a write now or later, each kind in order; at once by default.
    package init(
        schedule: @escaping @Sendable (_ isWrite: Bool, @escaping @Sendable () -> Void) -> Void = { _, work in work() }
    ) {
        self.schedule = schedule
    }

    /// Fails the next `count` transactions that write, after those that are to fail already.
    package func fail(_ fault: DiskFault, count: Int) {
        state.withLock { $0.faults += Array(repeating: fault, count: count) }
    }

    /// Fails no transaction any more.
    package func mend() { state.withLock { $0.faults = [] } }

    /// The tables that committed transactions have changed since the last call.
    package func takeChangedTables() -> Set<String> {
        state.withLock { state in
            defer { state.changed = [] }
            return state.changed
        }
    }

    func run(isWrite: Bool, _ work: @escaping @Sendable () -> Void) { schedule(isWrite, work) }

    /// The failure of the next transaction; nil if it succeeds.
    func next() -> DiskFault? { state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() } }

    func noteTouched(_ table: String) { state.withLock { _ = $0.touched.insert(table) } }

    func noteCommit() {
        state.withLock { state in
            state.changed.formUnion(state.touched)
            state.touched = []
        }
    }

    func noteRollback() { state.withLock { $0.touched = [] } }
}
