/// A fix that passed the checks of domain §5, with its time on the server's clock settled for good.
///
/// Ordered by time, then by `seq`.
package struct SettledFix: Hashable, Sendable, Comparable {
    /// The phone's sequence number of the fix.
    package var seq: UInt32
    /// Milliseconds from ``time`` to ``receivedAt``, and in the lowest bits the flags.
    private(set) var delayAndFlags: Int32
    /// `true` if the phone marks the position as simulated.
    package var isMock: Bool {
        get { delayAndFlags & SettledFix.mockFlag != 0 }
        set { delayAndFlags = delayAndFlags & ~SettledFix.mockFlag | (newValue ? SettledFix.mockFlag : 0) }
    }
    /// `true` if a clock of the device had moved against the server's before the fix was received (domain §5).
    package var isClockMoved: Bool { delayAndFlags & SettledFix.movedFlag != 0 }
    /// `true` if it was dated by a wall clock other than the one that dated the sending of its report (domain §5).
    package var isOfOtherClock: Bool { delayAndFlags & SettledFix.otherFlag != 0 }
    package var coordinate: Coordinate
    /// Horizontal accuracy in metres as reported; nil if missing.
    package var accuracyMetres: Double? {
        get { accuracy == SettledFix.missing ? nil : accuracy }
        set { accuracy = newValue ?? SettledFix.missing }
    }
    /// Speed in metres per second as reported; nil if missing.
    package var speedMps: Double? {
        get { speed == SettledFix.missing ? nil : speed }
        set { speed = newValue ?? SettledFix.missing }
    }
    /// The reported speed if the rules trust it: nil if missing or exactly 0. Android reports 0 for a position from the
    /// network, also in a moving car (domain §5).
    package var knownSpeedMps: Double? { speed > 0 ? speed : nil }
    /// The fix time, on the server's clock.
    package let time: Instant
    /// When the server received it: at most 18 hours before ``time``, and at most five days after.
    package var receivedAt: Instant { time + .milliseconds(delayMs) }

    /// The delay in milliseconds. Numbers far below zero encode long delays: a fix can wait for days, but not be days
    /// ahead.
    private var delayMs: Int64 {
        let number = Int64(delayAndFlags >> SettledFix.flagBits)
        return number < SettledFix.delaysMs.lowerBound ? number + SettledFix.delayCount : number
    }

    /// `true` if it was made and received at `instant` or later. A fix that is dated ahead was received before it was
    /// made.
    func isSince(_ instant: Instant) -> Bool { time >= instant && receivedAt >= instant }

    // No optional numbers, second instant or boolean, to save memory: a session holds many fixes.
    private(set) var accuracy: Double
    private(set) var speed: Double
    private static let missing = -Double.infinity
    private static let mockFlag: Int32 = 1
    private static let movedFlag: Int32 = 2
    private static let otherFlag: Int32 = 4
    private static let flagBits: Int32 = 3
    private static let delayCount = Int64(1) << (32 - flagBits)
    private static let delaysMs = -(Int64(1) << 26)...delayCount - (Int64(1) << 26) - 1

    /// A settled fix with all its fields.
    package init(
        seq: UInt32,
        coordinate: Coordinate,
        accuracyMetres: Double? = nil,
        speedMps: Double? = nil,
        time: Instant,
        receivedAt: Instant,
        isMock: Bool = false,
        isClockMoved: Bool = false,
        isOfOtherClock: Bool = false
    ) {
        self.seq = seq
        self.coordinate = coordinate
        accuracy = accuracyMetres ?? SettledFix.missing
        speed = speedMps ?? SettledFix.missing
        self.time = time
        delayAndFlags = SettledFix.packed(delay: receivedAt - time)
        if isMock { delayAndFlags |= SettledFix.mockFlag }
        if isClockMoved { delayAndFlags |= SettledFix.movedFlag }
        if isOfOtherClock { delayAndFlags |= SettledFix.otherFlag }
    }

    /// A fix from its fields in memory.
    init(seq: UInt32, coordinate: Coordinate, accuracy: Double, speed: Double, time: Instant, delayAndFlags: Int32) {
        self.seq = seq
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.speed = speed
        self.time = time
        self.delayAndFlags = delayAndFlags
    }

    private static func packed(delay: TimeSpan) -> Int32 {
        let number = min(max(delay.milliseconds, delaysMs.lowerBound), delaysMs.upperBound)
        return Int32(truncatingIfNeeded: number) << flagBits
    }

    /// The error the rules use, in metres: the accuracy (50 m if missing or 0), at least 5 m (domain §5).
    package var errorMetres: Double {
        guard let accuracyMetres, accuracyMetres > 0 else { return 50 }
        return max(accuracyMetres, 5)
    }

    /// `true` if it was received within 15 s of its time (domain §6.6).
    package var isLive: Bool { delayMs <= 15_000 }

    /// Its place among all fixes of a device.
    var order: FixOrder { FixOrder(time: time, seq: seq) }

    /// By time, then by `seq`.
    package static func < (left: SettledFix, right: SettledFix) -> Bool { left.order < right.order }
}

/// The order of a device's fixes: by time, then by `seq`.
package struct FixOrder: Hashable, Sendable, Comparable {
    let time: Instant
    let seq: UInt32

    package init(time: Instant, seq: UInt32) {
        self.time = time
        self.seq = seq
    }

    package static func < (left: FixOrder, right: FixOrder) -> Bool { (left.time, left.seq) < (right.time, right.seq) }
}

/// A settled fix with its participant and device, as the archive stores it.
package struct ArchivedFix: Hashable, Sendable {
    package var userID: UserID
    package var device: DeviceKey
    package var fix: SettledFix

    package init(userID: UserID, device: DeviceKey, fix: SettledFix) {
        self.userID = userID
        self.device = device
        self.fix = fix
    }
}

/// A device and its boot: the scope of `seq`, uptime and clock offsets (domain §5).
package struct DeviceKey: Hashable, Sendable, Codable {
    /// The device's own name, at most 64 characters; for a connection without one, a name of the connection.
    package var deviceID: String
    /// New whenever the device's monotonic clock or `seq` counter starts over; possibly empty.
    package var bootID: String

    package init(deviceID: String, bootID: String = "") {
        self.deviceID = deviceID
        self.bootID = bootID
    }
}

/// A position and its time on the server's clock.
package struct Waypoint: Hashable, Sendable {
    package let coordinate: Coordinate
    package let time: Instant

    init(_ fix: SettledFix) {
        coordinate = fix.coordinate
        time = fix.time
    }

    /// The waypoint of a departure; a time ahead of the receipt is replaced by that of receipt.
    init(departure fix: SettledFix) {
        coordinate = fix.coordinate
        time = min(fix.time, fix.receivedAt)
    }
}
