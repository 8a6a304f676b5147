internal import Logging
internal import PromisedDomain

/// The storage of files, with its failures as errors for users.
struct FileAccess: Sendable {
    let storage: any FileStorage
    let log: Logger

    /// Runs an operation of the storage. Throws `unavailable` for its errors, which are logged unless the disk is full.
    func reach<Value: Sendable>(_ operation: (any FileStorage) async throws -> Value) async throws -> Value {
        do {
            return try await operation(storage)
        } catch FileStorageError.full {
            throw ApplicationError.unavailable(retryAfter: .seconds(60), message: "The server's disk is full.")
        } catch let error as FileStorageError {
            log.error("The files cannot be reached", metadata: ["error": "\(error)"])
            throw ApplicationError.unavailable(retryAfter: .seconds(10))
        }
    }
}
