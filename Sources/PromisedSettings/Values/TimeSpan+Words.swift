internal import PromisedDomain

extension TimeSpan {
    /// The span in the largest unit that leaves nothing over: `30 minutes`, `1 day`, `90 seconds`.
    package var inWords: String {
        let units: [(name: String, milliseconds: Int64)] = [
            ("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1_000), ("millisecond", 1),
        ]
        let span = Int64(milliseconds)
        let unit = units.first { span.isMultiple(of: $0.milliseconds) && span >= $0.milliseconds } ?? units[4]
        let count = span / unit.milliseconds
        return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    }
}
