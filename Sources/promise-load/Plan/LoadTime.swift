import Glibc

/// A moment of the machine's monotonic clock, which all processes on it share.
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

    /// From `earlier` to `later`; negative the other way round.
    static func - (later: LoadTime, earlier: LoadTime) -> Duration {
        .microseconds(later.microseconds - earlier.microseconds)
    }
}

extension Duration {
    /// The whole microseconds of the length.
    var wholeMicroseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }

    /// The length in seconds.
    var inSeconds: Double { Double(wholeMicroseconds) / 1_000_000 }
}
