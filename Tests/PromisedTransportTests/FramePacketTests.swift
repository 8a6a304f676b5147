import PromisedTestSupport
import PromisedTransport
import Testing

struct FramePacketTests {
    /// The longest payload of a packet, beside its header of four bytes and room for a ping of three.
    private static let longest = FramePacket.limit - 4 - 3

    private static let ping = RawPeer.frame(9, [0], isMasked: false)

    private func payload(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

    /// A packet with frames of these payloads, and for each `true` if it found room.
    private func pack(_ payloads: [[UInt8]], isText: Bool = false) -> (packet: FramePacket, found: [Bool]) {
        var packet = FramePacket()
        let found = payloads.map { packet.append(Outbox.Frame(Payload($0), isText: isText)) }
        return (packet, found)
    }

    private func binary(_ bytes: [UInt8]) -> [UInt8] { RawPeer.frame(2, bytes, isMasked: false) }

    @Test(arguments: [0, 1, 125, 126, 127, 255, 256, 4_096, longest], [false, true])
    func `a frame has the header of its length and kind`(count: Int, isText: Bool) {
        let (packet, found) = pack([payload(count)], isText: isText)
        #expect(found == [true])
        #expect(packet.bytes == RawPeer.frame(isText ? 1 : 2, payload(count), isMasked: false))
    }

    @Test func `appends frames and a ping`() {
        var packet = pack([[1, 2, 3], payload(300)]).packet
        packet.appendPing()
        let whole = binary([1, 2, 3]) + binary(payload(300)) + Self.ping
        #expect(packet.bytes == whole)
        let sendable = packet.withSendable { Array(UnsafeBufferPointer(start: $0, count: $1)) }
        #expect(sendable == whole)
    }

    @Test func `can be emptied and refilled`() {
        var packet = FramePacket()
        #expect(packet.isEmpty)
        packet.appendPing()
        #expect(!packet.isEmpty)
        packet.removeAll()
        #expect(packet.isEmpty)
        packet.appendPing()
        #expect(packet.bytes == Self.ping)
    }

    @Test(arguments: [longest + 1, 65_535, 65_536, 70_000])
    func `omits an oversized message completely`(count: Int) {
        let (packet, found) = pack([payload(count)])
        #expect(found == [false])
        #expect(packet.isEmpty)
    }

    @Test func `omits messages without room, and always has room for a ping`() {
        var (packet, found) = pack([payload(Self.longest - 4), [1], []])
        #expect(found == [true, false, true])
        packet.appendPing()
        #expect(packet.bytes.count <= FramePacket.limit)
        #expect(packet.bytes == binary(payload(Self.longest - 4)) + binary([]) + Self.ping)
    }
}
