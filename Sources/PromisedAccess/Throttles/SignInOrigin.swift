package import PromisedSettings

/// The address of a sign-in, and the secret of its device.
package struct SignInOrigin: Sendable {
    package let address: ThrottleAddress
    /// The device's secret, cleaned by ``TextRule/deviceSecret``; empty if the client sent none.
    package let deviceSecret: String

    /// A caller at an address, with its device's secret if it sent one.
    package init(_ address: ThrottleAddress, deviceSecret: String = "") {
        self.address = address
        self.deviceSecret = deviceSecret
    }

    /// `true` if the caller may be known by its device.
    package var hasSecret: Bool { !deviceSecret.isEmpty }
}
