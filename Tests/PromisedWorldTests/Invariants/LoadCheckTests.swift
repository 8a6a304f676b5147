import PromisedApplication
import PromisedDomain
import PromisedTestMarks
import Testing

@testable import PromisedWorld

@Suite struct LoadCheckTests {
    private static let rows = [Fixtures.listing(0, isClosed: false), Fixtures.imported(1)]

    private static func loaded(added: Int = 1, isReplacement: Bool = false) -> LoadedPlaces {
        var report = PlaceImportReport()
        (report.added, report.unchanged) = (added, 1)
        return LoadedPlaces(rows: rows, isReplacement: isReplacement, report: report)
    }

    /// A directory with places of these names, and one that no import has.
    private static func directory(_ names: [String: String], isOtherRemoved: Bool) -> OwnedRows {
        var owned = OwnedRows()
        for (number, (ref, name)) in names.sorted(by: { $0.key < $1.key }).enumerated() {
            let id = PlaceID(high: 1, low: UInt64(number))
            owned.places[id] = .init(hours: "24/7", isRemoved: false, ref: ref, name: name)
        }
        owned.places[PlaceID(high: 2, low: 1)] = .init(hours: "", isRemoved: isOtherRemoved, ref: "other")
        return owned
    }

    @Test func `accepts an import of its rows, and a replacement that removes the others`() throws {
        // The operator may have changed a place that was there before.
        let names = ["0": "Changed", "imported-1": "Imported 1"]
        try LoadCheck.check(Self.loaded(), in: Self.directory(names, isOtherRemoved: false))
        let replacement = Self.loaded(isReplacement: true)
        try LoadCheck.check(replacement, in: Self.directory(names, isOtherRemoved: true))
        #expect(throws: Violation.self) {
            try LoadCheck.check(replacement, in: Self.directory(names, isOtherRemoved: false))
        }
    }

    @Test(.proves("18.30")) func `finds a missing, different or miscounted row`() {
        for names in [["0": "Place"], ["0": "Place", "imported-1": "Imported 2"]] {
            #expect(throws: Violation.self) {
                try LoadCheck.check(Self.loaded(), in: Self.directory(names, isOtherRemoved: false))
            }
        }
        let names = ["0": "Place", "imported-1": "Imported 1"]
        #expect(throws: Violation.self) {
            try LoadCheck.check(Self.loaded(added: 2), in: Self.directory(names, isOtherRemoved: false))
        }
    }
}
