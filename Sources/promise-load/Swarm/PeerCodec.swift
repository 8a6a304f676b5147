import Glibc
import PromisedDomain
import PromisedProtocol

/// Encodes and decodes the phones' frames in the peer's protocol.
struct PeerCodec: Sendable {
    /// The content of a received frame.
    enum Heard: Sendable {
        case frame(WireServerFrame)
        case relayed(seat: Int, seq: UInt32)
        /// A frame that the peer must not send.
        case nonsense
    }

    /// The ids of requests, the same on every connection.
    enum RequestID {
        static let hello: UInt32 = 1
        static let subscribe: UInt32 = 2
        static let cancel: UInt32 = 3
    }

    /// The bytes of a relayed report: the size of a position in Protocol Buffers.
    static let relayedBytes = 110

    private let peer: LoadPlan.Peer
    private let codec: WireCodec

    /// The protocol of a plan's peer.
    init(plan: LoadPlan) {
        peer = plan.peer
        codec = plan.wireCodec
    }

    /// The sub-protocols to request.
    var subprotocols: [String] { peer == .relay ? ["relay"] : [codec.subprotocol] }

    /// `true` if frames are text.
    var isText: Bool { peer == .promised && codec.isText }

    // MARK: - Saying

    /// The first frame on a connection; nil if the protocol has none.
    func hello(_ seat: LoadSeat) -> [UInt8]? {
        guard peer == .promised else { return nil }
        var hello = WireHello()
        hello.token = seat.token
        hello.client.name = "promise-load"
        hello.client.platform = "linux"
        hello.deviceID = "load"
        // The phone uses the kernel's clock, and report numbers continue across all connections of a run.
        hello.bootID = "\(getpid())"
        return encode(WireClientFrame(id: RequestID.hello, request: .hello(hello)))
    }

    /// Subscribes to a promise, continuing where an earlier connection stopped.
    func subscribe(_ seat: LoadSeat, epoch: String?, lastSeq: UInt32) -> [UInt8] {
        var subscribe = WireSubscribe()
        subscribe.promiseID = seat.promiseID
        if let epoch {
            subscribe.epoch = epoch
            subscribe.lastSeq = lastSeq
        }
        return encode(WireClientFrame(id: RequestID.subscribe, request: .subscribe(subscribe)))
    }

    func cancel(_ seat: LoadSeat) -> [UInt8] {
        var cancel = WireCancelPromise()
        cancel.promiseID = seat.promiseID
        cancel.reason = "load"
        return encode(WireClientFrame(id: RequestID.cancel, request: .cancelPromise(cancel)))
    }

    /// A report of one fix, measured now; requests no reply.
    func report(
        _ seat: LoadSeat,
        number: Int,
        seq: UInt32,
        at point: Coordinate,
        speed: Double,
        now: LoadTime
    ) -> [UInt8] {
        guard peer == .promised else { return relayed(number, seq) }
        let uptime = Double(now.microseconds) / 1_000
        var fix = WireFix()
        fix.seq = seq
        fix.latitude = point.latitude
        fix.longitude = point.longitude
        fix.accuracyMetres = Walk.accuracyMetres
        fix.speedMps = speed
        fix.uptimeMs = uptime
        var report = WireReport()
        report.promiseID = seat.promiseID
        report.fixes = [fix]
        report.uptimeMs = uptime
        return encode(WireClientFrame(id: 0, request: .report(report)))
    }

    // MARK: - Hearing

    /// The content of a frame.
    func hear(_ bytes: [UInt8]) -> Heard {
        if peer == .relay {
            guard bytes.count >= 8 else { return .nonsense }
            return .relayed(seat: Int(Self.number(bytes[0..<4])), seq: Self.number(bytes[4..<8]))
        }
        do throws(WireError) {
            return .frame(try codec.decodeServerFrame(bytes))
        } catch {
            return .nonsense
        }
    }

    // MARK: - Internals

    private func relayed(_ seat: Int, _ seq: UInt32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.relayedBytes)
        for index in 0..<4 {
            bytes[index] = UInt8(truncatingIfNeeded: seat >> (24 - 8 * index))
            bytes[4 + index] = UInt8(truncatingIfNeeded: seq >> UInt32(24 - 8 * index))
        }
        return bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    private func encode(_ frame: WireClientFrame) -> [UInt8] {
        do throws(WireError) {
            return try codec.encode(frame)
        } catch {
            preconditionFailure("Frames without timestamps can be encoded.")
        }
    }
}
