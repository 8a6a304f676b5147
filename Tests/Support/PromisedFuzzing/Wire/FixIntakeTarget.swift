import PromisedDomain

extension FuzzTarget {
    static let fixIntake = FuzzTarget(
        "fix-intake",
        "Of reports with any clocks and numbers, each fix is refused, or its time lies in the window and at most 5 s ahead."
    ) { bytes throws(Violation) in
        var draw = Draw(bytes)
        var now = Instant(milliseconds: 1_795_246_200_000)
        let window = now..<(now + .minutes(50))
        let intake = FixIntake(window: window, mock: draw.isHeads() ? .reject : .flag)
        var clock = DeviceClock()
        while !draw.isAtEnd {
            now = now + .milliseconds(Int64(draw.word() >> 12))
            let sent = draw.readings()
            if draw.isHeads() { clock.observe(syncs: [ClockSync(readings: draw.readings(), receivedAt: now)]) }
            clock.observe(sent, at: now)
            let reported = draw.reportedFix()
            clock.observe([reported], sent: sent, at: now)
            guard let fix = try? intake.settle(reported, clock: clock, sent: sent, at: now) else { continue }
            try require(window.contains(fix.time), "\(fix) outside the window")
            try require(fix.time <= now + FixIntake.tolerableLead, "\(fix) is ahead of \(now)")
            try require(fix.receivedAt == now && fix.coordinate.isValid, "\(fix)")
            try require(fix.speedMps.map { $0.isFinite && $0 >= 0 } ?? true, "\(fix)")
            try require(fix.errorMetres.isFinite && fix.errorMetres >= 5, "\(fix)")
        }
    }
}

extension Draw {
    /// The clocks of a phone; impossible readings are refused first.
    fileprivate mutating func readings() -> ClockReadings {
        ClockReadings(
            uptimeMs: optional { $0.reading() }.flatMap { ClockReadings.isSensible($0) ? $0 : nil },
            wallMs: optional { $0.reading() }.flatMap { ClockReadings.isSensible($0) ? $0 : nil }
        )
    }

    /// Mostly near the window, so that clocks sometimes agree.
    private mutating func reading() -> Double {
        isHeads() ? number() : 1_795_246_200_000 + Double(word() >> 10)
    }

    fileprivate mutating func reportedFix() -> Fix {
        Fix(
            seq: word(),
            coordinate: coordinate(),
            accuracyMetres: optional { $0.number() },
            speedMps: optional { $0.number() },
            courseDegrees: optional { $0.number() },
            uptimeMs: optional { $0.reading() },
            wallMs: optional { $0.reading() },
            isMock: isHeads()
        )
    }
}
