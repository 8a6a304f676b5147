import PromisedProtocol

/// Explains in sentences why a participant has no arrival, or why it is not confirmed.
enum NoArrivalText {
    /// The sentences about a participant without an arrival, the reason first.
    static func sentences(_ why: WireNoArrival, name: String) -> [String] {
        var sentences = [reason(why, name)]
        if why.reason != .noPosition, why.hasLastAt {
            sentences.append("The last position is of \(MomentText.full(why.lastAt)).")
        }
        if why.covered > 0 {
            let count = MeasureText.count(Int(why.covered), "position")
            sentences.append("\(count) that arrived late did not count, because others of the same time had arrived.")
        }
        if why.dropped > 0 {
            sentences.append("\(MeasureText.count(Int(why.dropped), "position")) jumped too far to be believed.")
        }
        for refused in why.refused {
            sentences.append("\(MeasureText.count(Int(refused.count), "position")) rejected: \(refused.code).")
        }
        return sentences
    }

    /// The reason why an arrival is not confirmed yet.
    static func waiting(_ hold: WireArrivalHold) -> String {
        "last seen \(metres(hold.distanceMetres)) away at \(MomentText.time(hold.lastAt)), outside since "
            + "\(MomentText.time(hold.since)); decided at \(MomentText.time(hold.decidedAt)) at the latest"
    }

    private static func reason(_ why: WireNoArrival, _ name: String) -> String {
        switch why.reason {
        case .passed: return passed(why, name)
        case .tooShort:
            let span =
                why.insideMs == 0 ? "at one position" : "for \(MomentText.span(milliseconds: Double(why.insideMs)))"
            return "\(name) was inside \(span), too short or too fast to count."
        case .tooInaccurate:
            let times = why.unusableInside == 1 ? "once" : "\(why.unusableInside) times"
            return "The phone of \(name) was near the place \(times), but knew its position to "
                + "\(metres(why.leastErrorMetres)) at best; a circle of \(metres(why.radiusMetres)) needs "
                + "\(metres(why.limitMetres)) or better."
        case .outside:
            guard why.hasNearestMetres else {
                return "The phone of \(name) never knew its position to \(metres(why.limitMetres)), and was never near."
            }
            return
                "\(name) was \(metres(why.nearestMetres)) away at the closest, at \(MomentText.time(why.nearestAt)); "
                + "the circle ends at \(metres(why.radiusMetres))."
        case .noPosition, .unspecified, .UNRECOGNIZED: return "\(name) sent no position that counts."
        }
    }

    private static func passed(_ why: WireNoArrival, _ name: String) -> String {
        let retraction = why.retraction
        let begin = "\(name) was seen inside from \(MomentText.full(retraction.creditedAt))"
        let end = "the arrival was retracted at \(MomentText.time(retraction.at))"
        switch retraction.cause {
        case .held: return "\(begin), but was still outside five minutes later; \(end)."
        case .passed, .unspecified, .UNRECOGNIZED: return "\(begin), and then well outside: passed by; \(end)."
        }
    }

    private static func metres(_ metres: Double) -> String { MeasureText.distance(metres: metres) }
}
