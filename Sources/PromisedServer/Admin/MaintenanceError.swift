internal import Glibc
internal import PromisedStore

/// Why an operator's command could not be done; its description is a sentence for people.
package enum MaintenanceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was asked for makes no sense.
    case usage(String)
    /// It could not be done.
    case impossible(String)

    init(_ error: StoreError, directory: String) {
        switch error {
        case .locked:
            self = .impossible("A server runs on \(directory): use promisectl, or stop the server first.")
        case .missing: self = .impossible("\(directory) has no database.")
        case .occupied: self = .impossible("\(directory) has a database already: nothing was changed.")
        case .outdatedSchema:
            self = .impossible("The database in \(directory) is of an earlier version: run promised migrate first.")
        case .newerSchema:
            self = .impossible("The database is of a later version: use that version, or restore an earlier backup.")
        case .notABackup: self = .impossible("The file is no sound backup of promised.")
        case .fileSystem(let code):
            self = .impossible("\(directory): \(String(cString: strerror(code))) (errno \(code))")
        case .openToOthers: self = .impossible("\(directory): \(error).")
        case .closed, .unavailable, .fenced, .unknownPromise, .broken, .damaged:
            self = .impossible("The database in \(directory) cannot be used: \(error).")
        }
    }

    /// A sentence for people.
    package var description: String {
        switch self {
        case .usage(let what), .impossible(let what): what
        }
    }
}
