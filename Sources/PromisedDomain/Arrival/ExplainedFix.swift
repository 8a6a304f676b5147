/// One stored fix and the arrival rule's decision about it (domain §6.9).
package struct ExplainedFix: Hashable, Sendable {
    /// The device and boot that reported it.
    package var device: DeviceKey
    package var fix: SettledFix
    /// Metres to the place.
    package var distanceMetres: Double
    /// The speed the rule uses, in metres per second: the reported one, else from the previous accepted fix; 0 for the
    /// first.
    package var speedMps: Double
    package var verdict: FixVerdict
}

extension SettledFix {
    /// Metres per second: the reported speed, else the plain distance from the previous accepted fix over the time; 0
    /// for the first.
    func speed(after previous: Waypoint?) -> Double {
        if let knownSpeedMps { return knownSpeedMps }
        guard let previous else { return 0 }
        let metres = coordinate.distanceMetres(to: previous.coordinate)
        let seconds = (time - previous.time).seconds
        if seconds > 0 { return metres / seconds }
        return metres > 0 ? .infinity : 0
    }
}
