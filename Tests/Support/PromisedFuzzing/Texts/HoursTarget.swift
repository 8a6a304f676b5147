import PromisedDomain
import PromisedPlaces

extension FuzzTarget {
    static let openingHours = FuzzTarget(
        "opening-hours",
        "A text is refused, or its states, its next change and its week agree at any instant.",
        longest: 512
    ) { bytes throws(Violation) in
        guard let hours = OpeningHours(String(decoding: bytes, as: UTF8.self)) else { return }
        // A place on the local clock of Berlin, at three instants around a change of the clocks.
        let march: Int64 = 1_774_746_000_000
        let zone = ZoneOffsets(
            offsetSeconds: 3_600,
            transitions: [.init(at: Instant(milliseconds: march), offsetSeconds: 7_200)]
        )
        let noise = Int64(bytes.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) } % 3_000_000_000)
        for milliseconds in [march - 1, march - 1_500_000_000 + noise, march + noise] {
            let instant = Instant(milliseconds: milliseconds)
            try check(hours, at: instant, in: zone)
            try check(hours.week(from: instant, in: zone))
        }
    }

    private static func check(_ hours: OpeningHours, at instant: Instant, in zone: ZoneOffsets) throws(Violation) {
        let outlook = hours.outlook(at: instant, in: zone)
        try require(outlook.state == hours.state(at: instant, in: zone), "the state at \(instant)")
        let end = outlook.change?.at ?? instant + OpeningOutlook.horizon
        try require(instant < end && end <= instant + OpeningOutlook.horizon, "a change at \(end)")
        if let change = outlook.change {
            try require(change.state != outlook.state, "a change to the same state")
            try require(hours.state(at: change.at, in: zone) == change.state, "the state at the change")
        }
        // Until the change the state is constant.
        for share in [1, 3, 7, 8] as [Int64] {
            let between = instant + TimeSpan(milliseconds: (end - instant - .milliseconds(1)).milliseconds * share / 8)
            try require(hours.state(at: between, in: zone) == outlook.state, "a change before \(end), at \(between)")
        }
    }

    private static func check(_ week: OpeningWeek) throws(Violation) {
        try require(week.days.count == Int(OpeningWeek.length), "\(week.days.count) days")
        for day in week.days {
            try require((day.state == .open) == !day.spans.isEmpty, "\(day)")
            var last = 0
            for span in day.spans {
                try require(last <= span.fromMinute && span.fromMinute < span.toMinute, "\(day)")
                last = span.toMinute
            }
            try require(last <= 26 * 60, "\(day)")
        }
    }
}
