import PromisedProtocol

extension Report {
    static func result(_ result: WireResult) -> Report {
        Report(Document(result), items: result.rows.map { Document($0) }) { style in
            let columns: [Table.Column] = [
                .number("RANK"), "WHO", "OUTCOME", "CREDITED", .number("OFFSET"), "SOURCE", .number("OWES"), "EXCUSED",
            ]
            let table = Table(columns, whenEmpty: "no participants", of: result.rows) { cells(of: $0, in: result) }
            let times = "met \(MomentText.full(result.meetsAt)), final \(MomentText.full(result.finalAt))"
            guard result.hasPenalty else { return "\(times)\n\n\(table.text(style))" }
            let total = MeasureText.money(result.penaltyTotal, result.penalty.currency)
            return "\(times), owed \(total)\n\n\(table.text(style))"
        }
    }

    private static func cells(of row: WireResultRow, in result: WireResult) -> [Table.Cell] {
        [
            row.rank > 0 ? "\(row.rank)" : "", "\(row.user.nickname)",
            Table.Cell(row.outcome.word, row.outcome.tone),
            Table.Cell(MomentText.full(row.creditedAt, if: row.hasCreditedAt)),
            Table.Cell(row.hasCreditedAt ? MomentText.offset(seconds: Int(row.secondsFromMeeting)) : ""),
            "\(row.source.word)", result.hasPenalty ? "\(row.penaltyOwed)" : "", "\(row.excusedReason)",
        ]
    }

    /// The explanation of a participant's arrival.
    static func explanation(_ explanation: WireExplanation) -> Report {
        Report(Document(explanation), items: explanation.fixes.map { Document($0) }) { style in
            let parts = [
                decision(of: explanation).text(style), fixes(of: explanation).text(style),
                revisions(of: explanation).text(style),
            ]
            return parts.joined(separator: "\n\n")
        }
    }

    private static func decision(of explanation: WireExplanation) -> FieldList {
        var fields = FieldList()
        let arrival = explanation.arrival
        fields.add("who", explanation.user.nickname, .heading)
        let rule = explanation.rule.name == .firstFix ? "first-fix" : "robust"
        fields.add("rule", "\(rule), version \(explanation.ruleVersion)")
        fields.add("clause", explanation.clause.word)
        fields.add("outcome", explanation.hasArrival ? arrival.outcome.word : "no arrival")
        if explanation.hasNoArrival {
            let why = NoArrivalText.sentences(explanation.noArrival, name: explanation.user.nickname)
            for (index, sentence) in why.enumerated() { fields.add(index == 0 ? "why" : "also", sentence) }
        }
        fields.add("credited", credited(explanation))
        fields.add("rank", explanation.hasArrival ? "\(arrival.rank)" : "")
        fields.add("source", arrival.source.word)
        fields.add("device", explanation.deviceID)
        fields.add("provisional", MomentText.full(explanation.provisionalAt, if: explanation.hasProvisionalAt))
        fields.add("confirmed", MomentText.full(explanation.confirmedAt, if: explanation.hasConfirmedAt))
        if explanation.hasHold { fields.add("waiting", NoArrivalText.waiting(explanation.hold)) }
        if explanation.hasCrossing { fields.add("crossing", crossing(explanation.crossing)) }
        for pair in explanation.cameTogether { fields.add("together", together(pair)) }
        return fields
    }

    /// The credited time and its uncertainty.
    private static func credited(_ explanation: WireExplanation) -> String {
        guard explanation.hasArrival else { return "" }
        let time = MomentText.full(explanation.arrival.creditedAt)
        guard explanation.crossing.hasUncertaintyMs else { return time }
        return "\(time), give or take \(MomentText.span(milliseconds: Double(explanation.crossing.uncertaintyMs)))"
    }

    /// Such as "came with Jun: 9 m apart in the two minutes up to 18:59:14, median of 48 moments; up to 30 m share a rank".
    private static func together(_ pair: WireCameTogether) -> String {
        let distance = MeasureText.distance(metres: pair.medianDistanceMetres)
        let limit = MeasureText.distance(metres: pair.limitMetres)
        return "came with \(pair.user.nickname): \(distance) apart in the two minutes up to "
            + "\(MomentText.time(pair.creditedAt)), median of \(pair.moments) moments; up to \(limit) share a rank"
    }

    private static func crossing(_ crossing: WireCrossing) -> String {
        let outside = MeasureText.distance(metres: crossing.outsideDistanceMetres)
        let inside = MeasureText.distance(metres: crossing.insideDistanceMetres)
        let times = (MomentText.time(crossing.outsideAt), MomentText.time(crossing.insideAt))
        return "from \(outside) at \(times.0) to \(inside) at \(times.1)"
    }

    private static func fixes(of explanation: WireExplanation) -> Table {
        Table(
            ["TIME", "USE", .number("DISTANCE"), .number("ERROR"), .number("SPEED"), "CODE", "DEVICE", .number("SEQ")],
            whenEmpty: "no stored fixes",
            of: explanation.fixes
        ) { fix in
            [
                Table.Cell(MomentText.time(fix.fixTime)), Table.Cell(fix.use.word + notes(on: fix)),
                Table.Cell(MeasureText.distance(metres: fix.distanceMetres)),
                Table.Cell(MeasureText.distance(metres: fix.errorMetres)),
                Table.Cell(MeasureText.number(fix.speedMps, decimals: 1) + " m/s"), "\(fix.code)",
                "\(fix.deviceID)", "\(fix.seq)",
            ]
        }
    }

    /// Reasons to trust a fix less, in parentheses.
    private static func notes(on fix: WireExplainedFix) -> String {
        (fix.hasLimitMetres ? " (limit \(MeasureText.distance(metres: fix.limitMetres)))" : "")
            + (fix.mock ? " (mock)" : "") + (fix.clockMoved ? " (clock moved)" : "")
            + (fix.otherClock ? " (another clock)" : "")
    }

    private static func revisions(of explanation: WireExplanation) -> Table {
        Table(["REVISED", "CAUSE", "CREDITED", .number("RANK")], whenEmpty: "never revised", of: explanation.revisions)
        { revision in
            let arrival = revision.arrival
            return [
                Table.Cell(MomentText.full(revision.at)), "\(revision.cause)",
                Table.Cell(revision.hasArrival ? MomentText.full(arrival.creditedAt) : "retracted"),
                revision.hasArrival ? "\(arrival.rank)" : "",
            ]
        }
    }
}
