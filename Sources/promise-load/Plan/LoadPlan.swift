import Glibc
import PromisedProtocol
import PromisedWire

/// The actions of a run, without its users.
struct LoadPlan: Hashable, Sendable, Codable {
    /// When clients report.
    enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        /// When the server asks for it (docs/protocol.md#reporting-slots).
        case slots
        /// Each at moments of its own, a period apart.
        case random
    }

    enum Peer: String, Hashable, Sendable, Codable {
        case promised
        /// The bare relay that the server is compared with.
        case relay
    }

    var peer = Peer.promised
    /// How messages are written: `json` or `protobuf`.
    var codec = "protobuf"
    /// When clients report.
    var phase = Phase.slots
    /// Between two reports of one client.
    var period = Duration.seconds(5)
    /// From the last subscription to the start of the measurement.
    var warmUp = Duration.seconds(10)
    /// How long the measurement lasts.
    var duration = Duration.seconds(60)
    /// How many arrivals per second during the measurement; over all processes.
    var arrivalsPerSecond = 0.0
    /// How many promises are cancelled per minute; over all processes.
    var cancellationsPerMinute = 0.0
    /// How many percent of all connections are cut and resumed in a minute.
    var cutPercentPerMinute = 0.0
    /// How many connections are being made at the same time.
    var connectsAtOnce = 64

    /// The codec's value; protobuf's if the peer has none.
    var wireCodec: WireCodec { WireCodec(rawValue: codec) ?? .protobuf }
}

/// The schedule of arrivals: different seats, evenly over the measured time.
enum ArrivalPlan {
    /// Seats with their moments, ascending; fewer than requested if there are not enough seats.
    ///
    /// - Parameters:
    ///   - rate: arrivals per second.
    ///   - margin: the last part of the time, without arrivals, so that earlier ones are seen.
    static func arrivals(
        seats: Int,
        rate: Double,
        from start: LoadTime,
        for duration: Duration,
        margin: Duration,
        using generator: inout some RandomNumberGenerator
    ) -> [(seat: Int, at: LoadTime)] {
        let count = min(seats, Int((rate * (duration - margin).inSeconds).rounded(.down)))
        guard count > 0 else { return [] }
        let chosen = Array(0..<seats).shuffled(using: &generator).prefix(count)
        return chosen.enumerated().map { index, seat in
            (seat, start + .microseconds(Int64((Double(index) / rate * 1_000_000).rounded())))
        }
    }
}

/// A moment of the machine's monotonic clock, which all its processes share.
struct LoadTime: Hashable, Comparable, Sendable, Codable {
    /// Microseconds since some moment before the machine started its first program.
    var microseconds: Int64

    /// The present moment.
    static var now: LoadTime {
        var reading = timespec()
        guard clock_gettime(CLOCK_MONOTONIC, &reading) == 0 else {
            preconditionFailure("The system has a monotonic clock.")
        }
        return LoadTime(microseconds: Int64(reading.tv_sec) * 1_000_000 + Int64(reading.tv_nsec) / 1_000)
    }

    static func < (left: LoadTime, right: LoadTime) -> Bool { left.microseconds < right.microseconds }

    static func + (time: LoadTime, span: Duration) -> LoadTime {
        LoadTime(microseconds: time.microseconds + span.wholeMicroseconds)
    }

    /// From `earlier` to `later`; negative if reversed.
    static func - (later: LoadTime, earlier: LoadTime) -> Duration {
        .microseconds(later.microseconds - earlier.microseconds)
    }

    /// Waits until a moment; returns at once if it has passed. Throws `CancellationError`.
    static func sleep(until moment: LoadTime) async throws {
        let ahead = moment - .now
        if ahead > .zero { try await Task.sleep(for: ahead, tolerance: .zero) }
    }
}

extension Duration {
    var wholeMicroseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
    var inSeconds: Double { Double(wholeMicroseconds) / 1_000_000 }
}
