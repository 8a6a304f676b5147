import PromisedDomain

@testable import PromisedStore

/// A store with one user that crashes at times and restarts from the disk.
struct MortalStore {
    private(set) var store: Store
    private var directory = TemporaryDirectory()

    init() async throws {
        store = try await Store.open(directory: directory.path)
        try await store.signUp(1...1)
    }

    /// Continues with the files as left by a crash at this moment.
    mutating func crash() async throws {
        let left = try directory.copyAfterCrash()
        try await store.close()
        store = try await Store.open(directory: left.path)
        directory = left
    }
}
