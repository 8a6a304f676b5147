package import PromisedDomain

/// The device of a participant in a promise, whose fixes are read.
package struct FixSource: Hashable, Sendable {
    /// The promise.
    package var promiseID: PromiseID
    /// The participant.
    package var userID: UserID
    /// The device and boot.
    package var device: DeviceKey
    /// Fixes received before this are left out; nil: none are.
    package var receivedFrom: Instant?

    /// A device of a participant.
    package init(promiseID: PromiseID, userID: UserID, device: DeviceKey, receivedFrom: Instant? = nil) {
        self.promiseID = promiseID
        self.userID = userID
        self.device = device
        self.receivedFrom = receivedFrom
    }

    /// `true` for a fix that is not left out.
    func has(_ fix: SettledFix) -> Bool { receivedFrom.map { fix.receivedAt >= $0 } ?? true }
}
