extension Fix {
    /// Accuracies beyond this carry no information, in metres.
    package static let largestAccuracyMetres = 10_000.0
    /// Fixes dated up to this far ahead of the server get the receive time; later ones are refused.
    package static let largestLead = TimeSpan.seconds(60)

    /// `true` if all numbers are plausible. A negative speed or course is how phones report "unknown".
    var isPlausible: Bool {
        guard coordinate.isValid, !coordinate.isNull else { return false }
        if let accuracyMetres, !(0...Fix.largestAccuracyMetres).contains(accuracyMetres) { return false }
        if let speedMps, !speedMps.isFinite { return false }
        if let courseDegrees, !courseDegrees.isFinite { return false }
        if let uptimeMs, !ClockReadings.isSensible(uptimeMs) { return false }
        if let wallMs, !ClockReadings.isSensible(wallMs) { return false }
        return true
    }
}
