internal import PromisedDomain
package import PromisedJournal

/// Rows that go with a session's commit, in the same transaction.
package struct CommitPassenger: Sendable {
    /// Writes the rows, after those of the commit.
    ///
    /// The arguments are the commit, its result if it is the promise's first one, and the database. Returns a function
    /// to call once the transaction is durable, which must not wait; nil for none.
    let write: @Sendable (SessionCommit, PromiseResult?, SQLConnection) throws -> (@Sendable () -> Void)?

    /// The visits of a result.
    ///
    /// - Parameter written: called with the visits once they are durable; must not wait.
    package static func visits(
        _ visits: ArrivalVisits,
        written: @escaping @Sendable ([Visit]) -> Void = { _ in }
    ) -> CommitPassenger {
        CommitPassenger { (_, result, db) throws -> (@Sendable () -> Void)? in
            guard let result else { return nil }
            let made = try visits.insert(for: result, into: db)
            guard !made.isEmpty else { return nil }
            return { written(made) }
        }
    }
}
