import Glibc
import PromisedProtocol
import PromisedWire

/// The actions of a run, without its users.
struct LoadPlan: Hashable, Sendable, Codable {
    /// When clients report.
    enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        /// When the server requests it (docs/protocol.md#reporting-slots).
        case slots
        /// At individual moments, one period apart.
        case random
    }

    enum Peer: String, Hashable, Sendable, Codable {
        case promised
        /// A bare relay for comparison with the server.
        case relay
    }

    var peer = Peer.promised
    /// The encoding of messages: `json` or `protobuf`.
    var codec = "protobuf"
    var phase = Phase.slots
    /// The time between two reports of one client.
    var period = Duration.seconds(5)
    /// The time from the last subscription to the start of the measurement.
    var warmUp = Duration.seconds(10)
    /// The length of the measurement.
    var duration = Duration.seconds(60)
    /// The number of arrivals per second during the measurement, over all processes.
    var arrivalsPerSecond = 0.0
    /// The number of promises cancelled per minute, over all processes.
    var cancellationsPerMinute = 0.0
    /// The percentage of all connections cut and resumed per minute.
    var cutPercentPerMinute = 0.0
    /// The number of connections being made at the same time.
    var connectsAtOnce = 64

    /// The codec; Protocol Buffers if the peer has none.
    var wireCodec: WireCodec { WireCodec(rawValue: codec) ?? .protobuf }
}

/// The schedule of arrivals: distinct seats, evenly distributed over the measured time.
enum ArrivalPlan {
    /// Seats with their moments, ascending; fewer than requested if there are not enough seats.
    ///
    /// - Parameters:
    ///   - rate: arrivals per second.
    ///   - margin: the last part of the time, without arrivals, so that earlier ones are still observed.
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

/// A moment on the machine's monotonic clock, which is the same for all processes.
struct LoadTime: Hashable, Comparable, Sendable, Codable {
    /// Microseconds since an arbitrary moment before the first program on the machine started.
    var microseconds: Int64

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
