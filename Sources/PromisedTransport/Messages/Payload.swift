import CWebSockets

/// One message ready to be sent: immutable bytes, made once and shared by all recipients.
///
/// The library writes a frame's header into the head-room in front of the bytes, so a payload that goes to several
/// service threads is copied once per thread; a server does that itself.
package final class Payload: @unchecked Sendable {
    // Safe to share: the bytes are written only here, the head-room only by the one service thread that sends it.
    private let storage: UnsafeMutableRawBufferPointer

    /// How many bytes the message has.
    package let count: Int

    /// A message of these bytes; they are copied.
    package init(_ bytes: some Collection<UInt8>) {
        let headRoom = cws_head_room()
        count = bytes.count
        storage = .allocate(byteCount: headRoom + bytes.count, alignment: 16)
        UnsafeMutableRawBufferPointer(rebasing: storage[headRoom...]).copyBytes(from: bytes)
    }

    /// A message of this text in UTF-8.
    package convenience init(_ text: String) { self.init(Array(text.utf8)) }

    deinit { storage.deallocate() }

    /// The message's bytes, as a copy.
    package var bytes: [UInt8] { withBytes { Array($0) } }

    /// Runs `body` with the message's bytes.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(rebasing: storage[cws_head_room()...]))
    }

    /// The same bytes with a head-room of their own.
    package func copy() -> Payload { withBytes { Payload($0) } }

    /// Runs `body` with the first byte, in front of which the library may write. Only for the thread that sends it.
    package func withSendable<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result? {
        storage.baseAddress.map { body(($0 + cws_head_room()).assumingMemoryBound(to: UInt8.self)) }
    }
}

/// A payload and how it behaves while it waits. Payloads that are sent together leave in one packet if nothing earlier
/// waits: a packet costs far more than its bytes.
package struct OutgoingPayload: Sendable {
    /// The message.
    package let payload: Payload
    /// Which waiting payloads it replaces.
    package let delivery: Delivery

    /// A message with this delivery.
    package init(_ payload: Payload, as delivery: Delivery = .event) {
        self.payload = payload
        self.delivery = delivery
    }

    /// The same message with a head-room of its own.
    package func copy() -> OutgoingPayload { OutgoingPayload(payload.copy(), as: delivery) }
}

/// How a payload behaves while it waits for a slow reader.
package enum Delivery: Sendable, Hashable {
    /// Never dropped, never overtaken.
    case event

    /// Replaces the payloads that wait in the same `slot` and whose `lanes` are all among these: the latest state wins.
    ///
    /// A slot is a number of the sender's (one live session, say); each lane is a bit for a part of the payload (one
    /// participant, say). A waiting payload with a lane that the new one lacks stays, so nothing is lost that the new
    /// one does not replace.
    case superseding(slot: UInt64, lanes: UInt64)
}
