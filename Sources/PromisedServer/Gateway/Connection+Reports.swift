internal import PromisedDomain
internal import PromisedEngine
internal import PromisedTransport
internal import PromisedWire

extension Connection {
    /// The session for a report that can be dealt with here and now: it took the connection's last one, is running, and
    /// lives where this is called. Nil sends the report the long way.
    func sessionHere(for report: WireReport) -> PromiseSession? {
        guard report.hasPromiseID, let session = reportedTo, session.isHere else { return nil }
        guard session.assumeIsolated({ $0.isRunning }), session.id == PromiseID(report.promiseID) else {
            return nil
        }
        return session
    }

    /// Who took the last report, if that is still alive and the connection still speaks for the same user alone.
    private var reportedTo: PromiseSession? {
        state.withLock { state in
            guard state.identity != nil, state.administrator == nil, state.watched == nil else { return nil }
            return state.reportedTo
        }
    }
}
