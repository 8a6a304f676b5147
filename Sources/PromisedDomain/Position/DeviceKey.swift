/// A device and its boot: what `seq`, uptime and clock offsets belong to (domain §5).
public struct DeviceKey: Hashable, Sendable, Codable {
    /// The device's own name, at most 64 characters; for a connection that gave none, a name of the connection.
    public var deviceID: String
    /// New whenever the device's monotonic clock or `seq` counter starts over; possibly empty.
    public var bootID: String

    /// A device in one of its boots.
    public init(deviceID: String, bootID: String = "") {
        self.deviceID = deviceID
        self.bootID = bootID
    }
}
