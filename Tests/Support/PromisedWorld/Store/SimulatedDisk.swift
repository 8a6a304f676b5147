internal import Synchronization

/// How a transaction fails.
package enum DiskFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// SQLite cannot write (`SQLITE_IOERR`).
    case broken
    /// The disk is full (`SQLITE_FULL`).
    case full
}

/// The disk of a ``SimulatedStore``: schedules its work, injects faults, and records which tables change.
package final class SimulatedDisk: Sendable {
    private struct State {
        var faults: [DiskFault] = []
        /// After how many statements each chosen fault occurs; empty without one.
        var statements: [Int] = []
        /// `true` while the database cannot grow.
        var isChoked = false
        var failures = 0
        /// The tables changed by the current transaction.
        var touched: Set<String> = []
        var changed: Set<String> = []
    }

    private let state = Mutex(State())
    private let schedule: @Sendable (_ isWrite: Bool, @escaping @Sendable () -> Void) -> Void

    /// A disk without faults.
    ///
    /// - Parameter schedule: runs a read or a write now or later, in order per kind; by default at once.
    package init(
        schedule: @escaping @Sendable (_ isWrite: Bool, @escaping @Sendable () -> Void) -> Void = { _, work in work() }
    ) {
        self.schedule = schedule
    }

    /// Makes the next `count` writing transactions fail, after those already chosen to fail.
    package func fail(_ fault: DiskFault, count: Int) {
        state.withLock { $0.faults += Array(repeating: fault, count: count) }
    }

    /// Makes a statement of a write fail, 1 being the first. SQLite then ends the whole transaction, as after a disk
    /// error.
    package func fail(atStatement number: Int) { state.withLock { $0.statements.append(number) } }

    /// Stops the database from growing (`SQLITE_FULL`), or lets it grow again.
    package func choke(_ isChoked: Bool) { state.withLock { $0.isChoked = isChoked } }

    /// How many of the chosen failures have occurred.
    package var failures: Int { state.withLock { $0.failures } }

    /// Clears all pending faults.
    package func mend() { state.withLock { ($0.faults, $0.statements, $0.isChoked) = ([], [], false) } }

    /// The tables changed by transactions committed since the last call.
    package func takeChangedTables() -> Set<String> {
        state.withLock { state in
            defer { state.changed = [] }
            return state.changed
        }
    }

    func run(isWrite: Bool, _ work: @escaping @Sendable () -> Void) { schedule(isWrite, work) }

    /// How the next write may fail before its end.
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

    /// The fault of the next transaction; nil if it succeeds.
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
