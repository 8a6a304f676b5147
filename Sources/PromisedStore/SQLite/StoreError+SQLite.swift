internal import GRDB

extension StoreError {
    /// The same failure as a store error.
    package init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT:
            self = .broken(error.message ?? "A constraint of the schema")
        // GRDB's error for a closed connection; other misuse of the library does not occur here.
        case let error as DatabaseError where error.resultCode == .SQLITE_MISUSE: self = .closed
        case let error as DatabaseError: self = .unavailable(code: error.extendedResultCode.rawValue)
        default: self = .broken("\(type(of: error))")
        }
    }
}
