internal import GRDB

/// Something to be done on one of the database's connections, on its thread.
typealias QueuedWork = @Sendable (Database) throws -> any Sendable

/// What became of it.
typealias QueuedOutcome = Result<any Sendable, StoreError>

/// Work that waits for others to be done, and who is told.
struct WaitingWork {
    /// How the wait ends.
    enum Turn: Sendable {
        /// Somebody else has done it.
        case over(QueuedOutcome)
        /// The one who waits does it, and what waits behind it.
        case lead
    }

    let work: QueuedWork
    let continuation: CheckedContinuation<Turn, Never>
}
