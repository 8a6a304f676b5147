internal import Foundation
internal import PromisedStore

/// Durable writes to a store of its own, whose directory goes with ``close()``.
public struct GroupCommit: Sendable {
    private let store: Store
    private let directory: String

    /// Opens a store in a new temporary directory.
    public init() async throws {
        directory = NSTemporaryDirectory() + "promised-benchmark-" + UUID().uuidString
        store = try await Store.open(directory: directory)
    }

    /// Writes once for each of `writers` at a time; all of them wait for the disk.
    public func write(atOnce writers: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<writers { group.addTask { try await store.upkeep.checkWritable() } }
            try await group.waitForAll()
        }
    }

    /// Closes the store and removes its directory.
    public func close() async throws {
        try await store.close()
        try FileManager.default.removeItem(atPath: directory)
    }
}
