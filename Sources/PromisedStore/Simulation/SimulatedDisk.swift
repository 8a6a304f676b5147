internal import Synchronization

/// How a transaction fails.
package enum DiskFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// SQLite cannot write (`SQLITE_IOERR`).
    case broken
    /// The disk is full (`SQLITE_FULL`).
    case full
}

/// The disk of a ``SimulatedStore``.
package final class SimulatedDisk: Sendable {
    private let faults = Mutex<[DiskFault]>([])

    /// A disk without faults.
    package init() {}

    /// Fails the next `count` transactions that write, after those that are to fail already.
    package func fail(_ fault: DiskFault, count: Int) {
        faults.withLock { $0 += Array(repeating: fault, count: count) }
    }

    /// Fails no transaction any more.
    package func mend() { faults.withLock { $0 = [] } }

    /// The failure of the next transaction; nil if it succeeds.
    func next() -> DiskFault? { faults.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
