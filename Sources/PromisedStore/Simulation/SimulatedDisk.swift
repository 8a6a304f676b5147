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
        /// The statements that succeed before one fails; empty if none fails.
        var statements: [Int] = []
        /// `true` while the database cannot grow.
        var isChoked = false
        var failures = 0
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

    /// Fails a statement of a write, the first one for 1. SQLite then ends the whole transaction, as after an error of the
    /// disk.
    package func fail(atStatement number: Int) { state.withLock { $0.statements.append(number) } }

    /// Lets no page be added to the database (`SQLITE_FULL`), or lets it grow again.
    package func choke(_ isChoked: Bool) { state.withLock { $0.isChoked = isChoked } }

    /// How many failures were chosen and have happened.
    package var failures: Int { state.withLock { $0.failures } }

    /// Fails nothing any more.
    package func mend() { state.withLock { ($0.faults, $0.statements, $0.isChoked) = ([], [], false) } }

    /// The tables that committed transactions have changed since the last call.
    package func takeChangedTables() -> Set<String> {
        state.withLock { state in
            defer { state.changed = [] }
            return state.changed
        }
    }

    func run(isWrite: Bool, _ work: @escaping @Sendable () -> Void) { schedule(isWrite, work) }

    /// The ways in which the next write may fail before its end.
    var wear: (mayStop: Bool, isFull: Bool) { state.withLock { (!$0.statements.isEmpty, $0.isChoked) } }

    /// Counts a statement of a write. Returns `true` if it fails.
    func stopsAtStatement() -> Bool {
        state.withLock { state in
            guard let left = state.statements.first else { return false }
            state.statements[0] = left - 1
            guard left <= 1 else { return false }
            state.statements.removeFirst()
            state.failures += 1
            return true
        }
    }

    /// The failure of the next transaction; nil if it succeeds.
    func next() -> DiskFault? {
        state.withLock { state in
            guard !state.faults.isEmpty else { return nil }
            state.failures += 1
            return state.faults.removeFirst()
        }
    }

    func noteTouched(_ table: String) { state.withLock { _ = $0.touched.insert(table) } }

    func noteCommit() {
        state.withLock { state in
            state.changed.formUnion(state.touched)
            state.touched = []
        }
    }

    func noteRollback() { state.withLock { $0.touched = [] } }
}
