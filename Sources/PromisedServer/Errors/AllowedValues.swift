internal import PromisedAccess
internal import PromisedDomain
internal import PromisedSettings
internal import PromisedWire

/// What a field of a request may hold, in words, from the constants by which it is checked.
enum AllowedValues {
    /// A sentence for an answer with `request.invalid` that has none of its own; nil for a field without a range.
    ///
    /// - Parameter field: the path on the wire, such as `place.latitude` or `inviteeIds[3]`.
    static func sentence(of field: String) -> String? {
        let name = field.split(separator: ".").last?.prefix { $0 != "[" } ?? ""
        if namesID(name) { return "An id is a UUID such as 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b." }
        return phrases[String(name)].map { "\(field) must be \($0)." }
    }

    /// Whether a field holds an id, or a list of them.
    private static func namesID(_ name: Substring) -> Bool {
        name.hasSuffix("Id") || name.hasSuffix("Ids") || name == "invite" || name == "remove"
    }

    private static let clock = "within \(Int64(ClockReadings.limitMs)) ms of zero"
    private static let instant = "given as a time in the years 1 to 9999"
    private static let radius = PromiseLimits.radiusMetres

    /// What follows "must be", by the field's name.
    private static let phrases: [String: String] = [
        "radiusMetres": "\(radius.lowerBound) to \(radius.upperBound) metres",
        "latitude": "-90 to 90 degrees", "longitude": "-180 to 180 degrees",
        "amount": "0 to \(Penalty.largestAmount) minor units",
        "currency": "a currency in use, as three capital letters such as EUR",
        "limit": "1 or more",
        "cursor": "absent or the cursor of an earlier reply to the same request",
        "epoch": "absent or the epoch of an earlier subscription (at most \(TextWeight.name) bytes)",
        "expiresInMs": "1 ms to \(PromiseLimits.furthestAhead.inWords)",
        "batteryPercent": "0 to 100",
        "fixes": "1 to \(Report.fixLimit) positions",
        "uptimeMs": clock, "clientTimeMs": clock, "sentAt": clock,
        "meetsAt": instant, "place": "given",
        "list": "UPCOMING, TRACKING, PAST or INVITED",
        "status": "a status that this server knows, or absent",
        "cause": "one of the causes that a phone can report, such as NO_FIX",
        "name": "given",
    ]
}
