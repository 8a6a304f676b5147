/// A fix that was not taken, for the explanation of an arrival (domain §6.9). Where it was is not kept.
public struct RefusedFix: Hashable, Sendable {
    /// The device and boot it came from.
    public var device: DeviceKey
    /// The phone's number for it.
    public var seq: UInt32
    /// When it was received.
    public var receivedAt: Instant
    /// Why it was refused.
    public var reason: Refusal

    /// At most so many are remembered of each participant, the newest; a restart forgets them.
    static let memory = 100
}
