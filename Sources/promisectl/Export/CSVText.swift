import PromisedProtocol

/// Tracks as CSV (RFC 4180), with a header; what a phone did not say is empty.
enum CSVText {
    private static let header = [
        "user_id", "nickname", "device", "seq", "fix_time", "received_at", "latitude", "longitude", "accuracy_metres",
        "speed_mps", "course_degrees", "battery_percent", "mock",
    ]

    /// One record for each position, by user, device and time.
    static func text(of export: TrackExport) -> String {
        let records = export.tracks.flatMap { track in track.positions.map { fields(of: $0, in: track) } }
        return ([header] + records).map { record($0) + "\r\n" }.joined()
    }

    /// One record without its line end; fields are quoted where they need it.
    static func record(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") }

    private static func fields(of position: WireAdminPosition, in track: TrackExport.Track) -> [String] {
        let fix = position.fix
        return [
            track.userID, track.nickname, "\(track.device)", "\(fix.seq)", position.fixTime.rfc3339,
            position.hasReceivedAt ? position.receivedAt.rfc3339 : "", "\(fix.latitude)", "\(fix.longitude)",
            fix.hasAccuracyMetres ? "\(fix.accuracyMetres)" : "", fix.hasSpeedMps ? "\(fix.speedMps)" : "",
            fix.hasCourseDegrees ? "\(fix.courseDegrees)" : "", fix.hasBatteryPercent ? "\(fix.batteryPercent)" : "",
            fix.hasMock ? "\(fix.mock)" : "",
        ]
    }

    private static func quoted(_ field: String) -> String {
        // By scalars: "\r\n" is one character.
        guard field.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
