package import PromisedSettings

/// The address a sign-in comes from, and the secret of the device that it comes with.
package struct SignInOrigin: Sendable {
    /// The address.
    package let address: ThrottleAddress
    /// The device's secret as ``TextRule/deviceSecret`` leaves it; empty if the client sent none.
    package let deviceSecret: String

    /// A caller at an address, with its device's secret if it sent one.
    package init(_ address: ThrottleAddress, deviceSecret: String = "") {
        self.address = address
        self.deviceSecret = deviceSecret
    }

    /// `true` if it may be known by its device.
    package var hasSecret: Bool { !deviceSecret.isEmpty }
}
