package import PromisedEngine
package import PromisedProtocol

/// The four operations on connections, independent of their carrier: sockets, links of other nodes, or memory.
///
/// Every call only queues and returns at once, may be made from any thread, and skips connections that have ended.
package protocol Outlet: AnyObject, Sendable {
    /// Sends frames to connections of one codec, in order, and together if no earlier frame waits. An outlet closes a
    /// connection that cannot keep up (``PromisedProtocol/CloseCode/slowReader``).
    func send(_ frames: [EncodedFrame], to connections: [SubscriberID])

    /// Reports that a frame of this many bytes was processed, once for each frame for which
    /// ``Gateway/received(_:_:)`` returned `false`: the outlet may then read further ones.
    func processed(_ connection: SubscriberID, bytes: Int)

    /// Lifts the limits of a connection before its sign-in: short frames and a deadline.
    func admit(_ connection: SubscriberID)

    /// Closes a connection after its queued frames.
    func close(_ connection: SubscriberID, _ code: CloseCode, text: String)
}

/// A frame ready to be sent.
package struct EncodedFrame: Sendable {
    package let bytes: [UInt8]
    package let delivery: FrameDelivery

    package init(_ bytes: [UInt8], as delivery: FrameDelivery) {
        self.bytes = bytes
        self.delivery = delivery
    }
}

/// How a queued frame behaves while a slow reader blocks it.
package enum FrameDelivery: Sendable, Hashable {
    /// Never dropped, never overtaken.
    case event
    /// Replaces queued frames of the same `slot`, one for each promise, whose `lanes` are all among these: a bit for
    /// each participant.
    case superseding(slot: UInt64, lanes: UInt64)
}
