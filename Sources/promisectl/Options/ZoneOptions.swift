import ArgumentParser
import Foundation
import PromisedProtocol

/// Whose clocks a time is told by.
struct ZoneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Whose clocks show a time without an offset, such as Asia/Seoul; else this machine's.",
            valueName: "zone"
        ),
        transform: Self.zone
    )
    var zone: TimeZone?

    /// The instant of a time as it was written. Where that depends on today, the server's clock says what day it is.
    func timestamp(
        of time: MeetingTime,
        from administration: any Administration
    ) async throws(Failure) -> WireTimestamp {
        if case .instant(let timestamp) = time { return timestamp }
        let nowMs = try await administration.readClock().serverMs
        return try time.timestamp(nowMs: nowMs, zone: zone ?? .current)
    }

    private static func zone(_ name: String) throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else {
            throw ValidationError("\(name) is no time zone. Write a name of the tz database, such as Asia/Seoul.")
        }
        return zone
    }
}
