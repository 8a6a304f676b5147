import Foundation
import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// States of an independent implementation, and of ours. `scripts/torture opening-hours` creates both tables.
@Suite struct OpeningHoursAgreementTests {
    private struct Table: Decodable {
        let zone: String
        let holidays: [String]
        let instants: [Int64]
        /// By text; a letter for each instant.
        let states: [String: String]
    }

    private static let comparedFile = ProcessInfo.processInfo.environment["OPENING_STATES"]

    @Test func `the examples have the recorded states`() throws {
        let rows = RecordedOpeningStates.table.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
        #expect(rows.count > 80)
        try check(
            Table(
                zone: RecordedOpeningStates.zone,
                holidays: RecordedOpeningStates.holidays,
                instants: RecordedOpeningStates.instants,
                states: Dictionary(uniqueKeysWithValues: rows.map { (String($0[1]), String($0[0])) })
            )
        )
    }

    @Test(
        .proves("11.4"),
        .enabled(if: comparedFile != nil, "run scripts/torture opening-hours to compare with another implementation")
    )
    func `the compared texts have the same states`() throws {
        let data = try Data(contentsOf: URL(filePath: try #require(Self.comparedFile)))
        let table = try JSONDecoder().decode(Table.self, from: data)
        try check(table)
        print("\(table.states.count) opening hours agree at \(table.instants.count) instants")
    }

    private func check(_ table: Table) throws {
        let zone = try #require(ZoneOffsets(identifier: table.zone, years: 2017...2020))
        let holidays = try #require(HolidayCalendar(table.holidays.map(CivilDate.date)))
        for (text, states) in table.states.sorted(by: { $0.key < $1.key }) {
            guard let hours = OpeningHours(text) else {
                Issue.record("\(text) is unreadable, but read by the other")
                continue
            }
            try #require(states.count == table.instants.count)
            for (milliseconds, expected) in zip(table.instants, states) {
                let instant = Instant(milliseconds: milliseconds)
                let state = hours.state(at: instant, in: zone, holidays: holidays)
                // Hours after midnight that a later rule replaces are unknown here, and closed for the other.
                if state == .unknown, expected == "c", text.contains(";"),
                    zone.localMilliseconds(at: instant) % 86_400_000 < 43_200_000
                {
                    continue
                }
                guard letter(state) == expected else {
                    Issue.record("\(text) at \(instant.rfc3339): \(state), but \(expected) by the other")
                    break
                }
            }
        }
    }

    /// The other implementation calls a day without times open.
    private func letter(_ state: OpeningState) -> Character {
        switch state {
        case .open, .thatDay: "o"
        case .closed: "c"
        case .unknown: "u"
        }
    }
}
