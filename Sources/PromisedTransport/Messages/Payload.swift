import CWebSockets

/// One message ready to be sent: immutable bytes, created once and shared by all recipients.
///
/// The library writes a frame's header into the head-room before the bytes, so a payload for several service threads is
/// copied once per thread; a server does that itself.
package final class Payload: @unchecked Sendable {
    // Safe to share: the bytes are written only here, the head-room only by the one service thread that sends it.
    private let storage: UnsafeMutableRawBufferPointer

    /// The number of bytes of the message.
    package let count: Int

    /// A message with a copy of these bytes.
    package init(_ bytes: some Collection<UInt8>) {
        let headRoom = cws_head_room()
        count = bytes.count
        storage = .allocate(byteCount: headRoom + bytes.count, alignment: 16)
        UnsafeMutableRawBufferPointer(rebasing: storage[headRoom...]).copyBytes(from: bytes)
    }

    /// A message of this text in UTF-8.
    package convenience init(_ text: String) { self.init(Array(text.utf8)) }

    deinit { storage.deallocate() }

    /// A copy of the message's bytes.
    package var bytes: [UInt8] { withBytes { Array($0) } }

    /// Runs `body` with the message's bytes.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(rebasing: storage[cws_head_room()...]))
    }

    /// The same bytes with separate head-room.
    package func copy() -> Payload { withBytes { Payload($0) } }

    /// Runs `body` with the first byte, before which the library may write. Only for the thread that sends it.
    package func withSendable<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result? {
        storage.baseAddress.map { body(($0 + cws_head_room()).assumingMemoryBound(to: UInt8.self)) }
    }
}

/// A payload and its behaviour in the queue. Payloads sent together leave in one packet if no earlier frame waits: a
/// packet costs far more than its bytes.
package struct OutgoingPayload: Sendable {
    package let payload: Payload
    package let delivery: Delivery

    package init(_ payload: Payload, as delivery: Delivery = .event) {
        self.payload = payload
        self.delivery = delivery
    }

    /// The same message with separate head-room.
    package func copy() -> OutgoingPayload { OutgoingPayload(payload.copy(), as: delivery) }
}

/// How a queued payload behaves while a slow reader blocks it.
package enum Delivery: Sendable, Hashable {
    /// Never dropped, never overtaken.
    case event

    /// Replaces queued payloads in the same `slot` whose `lanes` are all among these: the latest state wins.
    ///
    /// A slot is a number chosen by the sender, for example for one live session; each lane is a bit for a part of the
    /// payload, for example one participant. A queued payload with a lane that the new one lacks stays, so data that
    /// the new one does not replace is never lost.
    case superseding(slot: UInt64, lanes: UInt64)
}
