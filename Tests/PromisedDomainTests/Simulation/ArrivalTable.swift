import Foundation
import PromisedTestSupport
import Testing

/// The figures as the tables of `docs/arrival.md`.
enum ArrivalTable {
    /// A part of the document that the tests write.
    enum Part: String, CaseIterable {
        /// Phones with ideal errors.
        case figures
        /// Phones with recorded errors.
        case measured
        /// Two phones.
        case pairs

        fileprivate var begin: String { "<!-- \(rawValue): begin, written by the tests with RECORD_GOLDEN=1 -->" }
        fileprivate var end: String { "<!-- \(rawValue): end -->" }
    }

    /// The tables for scenarios without and with an arrival.
    static func text(stayingAway: [ArrivalFigures], coming: [ArrivalFigures]) -> String {
        let away = [
            "| nobody comes | demanded | `robust` stands | (announced for a while) | `first-fix` |",
            "|---|---|---|---|---|",
        ]
        let here = [
            "| somebody walks in | demanded | `robust` missed | delay | error | `first-fix` missed | delay | error |",
            "|---|---|---|---|---|---|---|---|",
        ]
        return (away + stayingAway.map(awayRow) + [""] + here + coming.map(comingRow)).joined(separator: "\n")
    }

    /// The text between the markers of a part of `document`; nil without markers.
    static func recorded(_ part: Part, in document: String) -> String? {
        guard let lower = document.range(of: part.begin + "\n"), let upper = document.range(of: "\n" + part.end),
            lower.upperBound <= upper.lowerBound
        else { return nil }
        return String(document[lower.upperBound..<upper.lowerBound])
    }

    /// `document` with `table` between the markers of a part, which must exist.
    static func recording(_ table: String, as part: Part, in document: String) -> String {
        guard let old = recorded(part, in: document) else { return document }
        return document.replacingOccurrences(of: part.begin + "\n" + old, with: part.begin + "\n" + table)
    }

    /// Compares a table with the one in `docs/arrival.md`, or writes it there with RECORD_GOLDEN=1.
    static func check(_ table: String, _ part: Part) throws {
        let url = try #require(RepositoryFolder.root).appending(path: "docs/arrival.md")
        let document = try String(contentsOf: url, encoding: .utf8)
        let written = try #require(recorded(part, in: document), "docs/arrival.md has lost its markers")
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try recording(table, as: part, in: document).write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(
                agree(written, table, tolerance: 0.5),
                "docs/arrival.md is out of date; record it with RECORD_GOLDEN=1. Now:\n\(table)"
            )
        }
    }

    /// The table of pairs; each row: name, whether they share a body, and the shares of the runs in which they tie by the
    /// times alone, and in all.
    static func text(pairs: [(name: String, isOneBody: Bool, byTime: Double, inAll: Double)]) -> String {
        let head = [
            "| two phones | demanded | within 5 s | share a rank |",
            "|---|---|---|---|",
        ]
        let rows = pairs.map { pair in
            row([pair.name, pair.isOneBody ? "≥ 99 %" : "≤ 5 %", percent(pair.byTime), percent(pair.inAll)])
        }
        return (head + rows).joined(separator: "\n")
    }

    /// `true` if two tables have the same words, and numbers that differ by at most `tolerance`: another machine's
    /// mathematical library may round one run in a thousand differently.
    static func agree(_ one: String, _ other: String, tolerance: Double) -> Bool {
        let pairs = zip(cells(one), cells(other))
        guard cells(one).count == cells(other).count else { return false }
        return pairs.allSatisfy { left, right in
            guard left != right else { return true }
            guard let leftNumber = number(left), let rightNumber = number(right) else { return false }
            return abs(leftNumber - rightNumber) <= tolerance
        }
    }

    private static func cells(_ table: String) -> [String] {
        table.split(whereSeparator: { $0 == "|" || $0 == "\n" }).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The number in a cell such as `0.2 %` or `−6.1 s`; nil for words.
    private static func number(_ cell: String) -> Double? {
        let parts = cell.split(separator: " ")
        guard parts.count == 2, parts[1] == "%" || parts[1] == "s" else { return nil }
        return Double(parts[0].replacing("−", with: "-"))
    }

    // MARK: - Rows

    private static func awayRow(_ figures: ArrivalFigures) -> String {
        row([
            figures.scenario.name, demanded(figures.scenario.demand), percent(figures.robust.standingShare),
            percent(figures.robust.announcedShare), percent(figures.firstFix.standingShare),
        ])
    }

    private static func comingRow(_ figures: ArrivalFigures) -> String {
        let tallies = [figures.robust, figures.firstFix].flatMap { tally in
            [
                percent(1 - tally.standingShare),
                seconds(tally.delays.quantile(0.5)),
                seconds(tally.errors.quantile(0.5)),
            ]
        }
        return row([figures.scenario.name, demanded(figures.scenario.demand)] + tallies)
    }

    private static func demanded(_ demand: ArrivalScenario.Demand) -> String {
        switch demand {
        case .staysAway(let standing?): return standing == 0 ? "none" : "≤ \(short(100 * standing)) %"
        case .comes(let missed?, let delay, let error):
            let parts = [
                "missed ≤ \(short(100 * missed)) %", delay.map { "delay ≤ \(short($0)) s" },
                error.map { "error ≤ \(short($0)) s" },
            ]
            return parts.compactMap(\.self).joined(separator: ", ")
        case .staysAway(nil), .comes(nil, _, _): return "–"
        }
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    private static func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }

    private static func seconds(_ value: Double?) -> String {
        value.map { String(format: "%.1f s", $0).replacing("-", with: "−") } ?? "–"
    }

    private static func short(_ value: Double) -> String { String(format: "%g", value) }
}
