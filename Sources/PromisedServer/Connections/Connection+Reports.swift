internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedTransport

extension Connection {
    /// The session for which a report can be dealt with here and now: it took the connection's last one and lives where
    /// this is called. Nil sends whatever came the long way.
    var sessionHere: PromiseSession? { reportedTo.flatMap { $0.isHere ? $0 : nil } }

    /// Who took the last report, if that is still alive and the connection still speaks for the same user alone.
    private var reportedTo: PromiseSession? {
        state.withLock { state in
            guard state.identity != nil, state.administrator == nil, state.watched == nil else { return nil }
            return state.reportedTo
        }
    }
}
