package import PromisedDomain

/// The device of a participant in a promise, whose fixes are read.
package struct FixSource: Hashable, Sendable {
    /// The promise.
    package var promiseID: PromiseID
    /// The participant.
    package var userID: UserID
    /// The device and boot.
    package var device: DeviceKey

    /// A device of a participant.
    package init(promiseID: PromiseID, userID: UserID, device: DeviceKey) {
        self.promiseID = promiseID
        self.userID = userID
        self.device = device
    }
}
