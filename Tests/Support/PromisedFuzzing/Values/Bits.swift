import PromisedDomain
import PromisedJournal

// The bits of numbers: NaN equals itself, and −0 is not 0.

extension SettledFix {
    /// All its values.
    var bits: [UInt64?] {
        coordinate.bits + [
            UInt64(seq), accuracyMetres?.bitPattern, speedMps?.bitPattern, UInt64(bitPattern: time.milliseconds),
            UInt64(bitPattern: receivedAt.milliseconds), isMock ? 1 : 0, isClockMoved ? 1 : 0,
            isOfOtherClock ? 1 : 0,
        ]
    }
}

extension TrackPoint {
    /// All its values.
    var bits: [UInt64?] {
        coordinate.bits + [
            altitudeMetres?.bitPattern, (time?.milliseconds).map { UInt64(bitPattern: $0) },
            accuracyMetres?.bitPattern, speedMps?.bitPattern, UInt64(segment),
        ]
    }
}

extension Fix {
    /// All its values.
    var bits: [UInt64?] {
        coordinate.bits + [
            UInt64(seq), accuracyMetres?.bitPattern, speedMps?.bitPattern, courseDegrees?.bitPattern,
            uptimeMs?.bitPattern, wallMs?.bitPattern, isMock ? 1 : 0, batteryPercent.map { UInt64($0) },
        ]
    }
}

extension Coordinate {
    /// Both numbers.
    var bits: [UInt64?] { [latitude.bitPattern, longitude.bitPattern] }
}
