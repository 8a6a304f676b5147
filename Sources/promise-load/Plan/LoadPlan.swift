import PromisedProtocol
import PromisedWire

/// What a run does, apart from who takes part.
struct LoadPlan: Hashable, Sendable, Codable {
    /// When clients report.
    enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        /// When the server asks for it (docs/protocol.md#reporting-slots).
        case slots
        /// Each at moments of its own, a period apart.
        case random
    }

    /// What answers.
    enum Peer: String, Hashable, Sendable, Codable {
        /// A promised server.
        case promised
        /// The bare relay the server is compared with.
        case relay
    }

    /// What answers.
    var peer = Peer.promised
    /// How messages are written: `json` or `protobuf`.
    var codec = "protobuf"
    /// When clients report.
    var phase = Phase.slots
    /// Between two reports of one client.
    var period = Duration.seconds(5)
    /// From everybody connected to the first moment that counts.
    var warmUp = Duration.seconds(10)
    /// How long is measured.
    var duration = Duration.seconds(60)
    /// How many people arrive in a second while measured; over all processes.
    var arrivalsPerSecond = 0.0
    /// How many promises their owners cancel in a minute; over all processes.
    var cancellationsPerMinute = 0.0
    /// How many percent of all connections are cut and resumed in a minute.
    var cutPercentPerMinute = 0.0
    /// How many connections are being made at the same time.
    var connectsAtOnce = 64

    /// The codec's value; protobuf's where the peer has none.
    var wireCodec: WireCodec { WireCodec(rawValue: codec) ?? .protobuf }
}
