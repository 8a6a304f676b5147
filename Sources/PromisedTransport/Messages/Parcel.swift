/// A payload and how it behaves while it waits. Those that are sent together leave in one packet where nothing waits
/// before them, for a packet costs far more than the bytes in it.
public struct Parcel: Sendable {
    /// The message.
    public let payload: Payload
    /// What it replaces of what waits.
    public let delivery: Delivery

    /// A message to be delivered that way.
    public init(_ payload: Payload, as delivery: Delivery = .event) {
        self.payload = payload
        self.delivery = delivery
    }

    /// The same message with a head-room of its own.
    package func copy() -> Parcel { Parcel(payload.copy(), as: delivery) }
}
