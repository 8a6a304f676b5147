package import PromisedDomain

/// Where a ``FixBuffer`` writes to: a ``Store``, or a stand-in of a test.
package protocol FixSink: Sendable {
    /// Makes fixes durable, all or none; returns how many.
    @discardableResult
    func writeFixes(_ fixes: [PromiseID: [ArchivedFix]]) async throws(StoreError) -> Int

    /// The durable fixes of one device, by time and then by number.
    func recall(promise: PromiseID, user: UserID, device: DeviceKey) async throws(StoreError) -> [SettledFix]
}

extension Store: FixSink {}
