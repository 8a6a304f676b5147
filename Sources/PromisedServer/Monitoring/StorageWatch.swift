internal import Logging
internal import PromisedStore

/// Tests the storage for `/readyz`.
struct StorageWatch: Sendable {
    /// The interval of the tests, in real time.
    static let interval = Duration.seconds(10)

    let store: StoreUpkeep
    let readiness: Readiness
    let log: Logger

    /// Tests the storage once.
    func check() async {
        do throws(StoreError) {
            try await store.checkWritable()
            readiness.note(isWritable: true)
        } catch {
            readiness.note(isWritable: false)
            log.error("Storage is not writable", metadata: ["error": "\(error)"])
        }
    }
}
