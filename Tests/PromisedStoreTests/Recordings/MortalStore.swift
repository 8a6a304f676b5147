import PromisedDomain

@testable import PromisedStore

/// A store with one user that dies now and then and starts again on what is on the disk.
struct MortalStore {
    private(set) var store: Store
    private var directory = TemporaryDirectory()

    init() async throws {
        store = try await Store.open(directory: directory.path)
        try await store.signUp(1...1)
    }

    /// Goes on with the files as a crash at this moment would leave them.
    mutating func crash() async throws {
        let left = try directory.copyAfterCrash()
        try await store.close()
        store = try await Store.open(directory: left.path)
        directory = left
    }
}
