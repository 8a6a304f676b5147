@testable import PromisedTransport

/// A socket that records its writes and accepts the number of bytes set by the test.
final class FakeSocket: FrameSocket, ListenerSocket {
    enum Event: Equatable {
        /// A frame by itself.
        case frame(String)
        /// A packet of this number of bytes.
        case packet(Int)
        case ping
        /// A callback was requested from the library.
        case asked
        case reading(Bool)
        case killed
    }

    private(set) var events: [Event] = []
    let descriptor: Int32
    var isClosing = false
    var holdsRest = false
    var isChoked = false
    var isBroken = false

    init(descriptor: Int32 = -1) {
        self.descriptor = descriptor
    }

    static func == (left: FakeSocket, right: FakeSocket) -> Bool { left === right }

    /// The events since the last call.
    func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    func send(_ frame: Outbox.Frame) -> Bool {
        events.append(.frame(String(decoding: frame.payload.bytes, as: UTF8.self)))
        return !isBroken
    }

    func send(_ packet: inout FramePacket) -> Bool {
        events.append(.packet(packet.bytes.count))
        return !isBroken
    }

    func sendPing() -> Bool {
        events.append(.ping)
        return !isBroken
    }

    func askToWrite() { events.append(.asked) }

    func setReading(_ isOn: Bool) { events.append(.reading(isOn)) }

    func kill() { events.append(.killed) }
}

/// An id in a slot of the first thread.
func connectionID(_ slot: Int) -> ConnectionID { ConnectionID(thread: 0, slot: slot, generation: 0) }
