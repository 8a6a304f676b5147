import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedWire
import SwiftProtobuf

/// A phone whose clocks date its fixes, so a test need not wait between them.
struct DatedPhone {
    /// The server's time at the zero of the phone's monotonic clock.
    let boot: Instant
    /// How far its wall clock is ahead of the server's.
    var wallLead = TimeSpan.zero
    /// `true` if it sends its monotonic clock.
    var tellsUptime = true
    /// `true` if it sends its wall clock.
    var tellsWall = false

    /// Into the circle of 50 m around the place, and 15 s there: seconds before sending, metres to the place. The way
    /// crosses the circle 12.5 s before sending.
    static let arriving: [(before: Double, metres: Double)] = [(15, 80), (10, 20), (5, 20), (0, 20)]

    /// The monotonic clock, in milliseconds.
    func uptime(at instant: Instant) -> Double { Double((instant - boot).milliseconds) }

    /// A report sent at an instant, with one fix for each point of a way.
    func report(
        _ promiseID: String,
        sent: Instant,
        first seq: UInt32 = 1,
        _ way: [(before: Double, metres: Double)] = arriving
    ) -> WireReport {
        var report = WireReport()
        report.promiseID = promiseID
        if tellsUptime { report.uptimeMs = uptime(at: sent) }
        if tellsWall { report.sentAt = WireTimestamp(sent + wallLead) }
        report.fixes = way.enumerated().map { index, point in
            let made = sent - .seconds(point.before)
            var fix = WireFix()
            fix.seq = seq + UInt32(index)
            fix.latitude = 37.5 + point.metres / 111_195
            fix.longitude = 127
            fix.accuracyMetres = 5
            if tellsUptime { fix.uptimeMs = uptime(at: made) }
            if tellsWall { fix.recordedAt = WireTimestamp(made + wallLead) }
            return fix
        }
        return report
    }

    /// Requests the server's clock.
    ///
    /// - Parameter exchange: performs the request.
    /// - Returns: the server's estimate of the zero of the monotonic clock, until a faster exchange.
    func sync(
        at now: Instant,
        by exchange: (WireSyncClock) async throws -> WireClock
    ) async throws -> Instant {
        let request = WireSyncClock.with { $0.uptimeMs = uptime(at: now) }
        let receivedAt = try Instant(wire: try await exchange(request).receivedAt, field: "receivedAt")
        return receivedAt - .milliseconds(Int64(request.uptimeMs))
    }
}

extension Instant {
    /// The instant of a timestamp that a server sent.
    init(sent timestamp: WireTimestamp) throws {
        self = try Instant(wire: timestamp, field: "")
    }
}
