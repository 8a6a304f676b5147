package import PromisedDomain

/// The device of a participant in a promise, as a source of fixes.
package struct FixSource: Hashable, Sendable {
    package var promiseID: PromiseID
    package var userID: UserID
    package var device: DeviceKey
    /// Excludes fixes received before this instant; nil includes all.
    package var receivedFrom: Instant?

    package init(promiseID: PromiseID, userID: UserID, device: DeviceKey, receivedFrom: Instant? = nil) {
        self.promiseID = promiseID
        self.userID = userID
        self.device = device
        self.receivedFrom = receivedFrom
    }

    /// `true` unless the fix is excluded.
    func has(_ fix: SettledFix) -> Bool { receivedFrom.map { fix.receivedAt >= $0 } ?? true }
}
