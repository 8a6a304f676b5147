/// One stored fix and the arrival rule's decision about it (domain §6.9).
package struct ExplainedFix: Hashable, Sendable {
    /// The device and boot it came from.
    package var device: DeviceKey
    /// The fix.
    package var fix: SettledFix
    /// Metres to the place.
    package var distanceMetres: Double
    /// The speed the rule uses, in metres per second: reported, else from the accepted fix before; 0 for the first.
    package var speedMps: Double
    /// The decision about it.
    package var verdict: FixVerdict
}

extension SettledFix {
    /// Metres per second: reported, else the plain distance from the accepted fix before over the time; 0 for the first.
    func speed(after previous: Waypoint?) -> Double {
        if let knownSpeedMps { return knownSpeedMps }
        guard let previous else { return 0 }
        let metres = coordinate.distanceMetres(to: previous.coordinate)
        let seconds = (time - previous.time).seconds
        if seconds > 0 { return metres / seconds }
        return metres > 0 ? .infinity : 0
    }
}
