internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore

extension RequestError {
    init(_ error: StoreError) {
        switch error {
        case .unavailable, .closed, .locked, .fileSystem, .openToOthers: self.init(.serverUnavailable)
        case .unknownPromise: self.init(.promiseNotFound)
        case .fenced, .newerSchema, .outdatedSchema, .missing, .occupied, .notABackup, .broken, .damaged:
            self.init(.serverInternal)
        }
    }

    /// Runs work on the store, its error as the answer to the request.
    static func stored<Value: Sendable>(
        _ work: () async throws(StoreError) -> Value
    ) async throws(RequestError) -> Value {
        do throws(StoreError) {
            return try await work()
        } catch {
            throw RequestError(error)
        }
    }
}

extension ArchiveError {
    init(_ error: StoreError) {
        self = error == .fenced ? .fenced : .unavailable("\(error)")
    }
}
