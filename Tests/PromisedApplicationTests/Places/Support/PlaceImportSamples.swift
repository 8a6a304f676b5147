import PromisedDomain
import PromisedPlaces
import PromisedStore

@testable import PromisedApplication

extension PlaceImportReport {
    static func counts(
        added: Int = 0,
        changed: Int = 0,
        unchanged: Int = 0,
        removed: Int = 0,
        refused: Int = 0
    ) -> PlaceImportReport {
        var report = PlaceImportReport()
        report.added = added
        report.changed = changed
        report.unchanged = unchanged
        report.removed = removed
        report.refused = refused
        return report
    }
}

extension AuditEntry {
    /// The entry for an action on the source "markets".
    static func ofMarkets(_ action: String) -> AuditEntry {
        AuditEntry(at: PlaceWorld.noon, actor: "ops", action: action, subject: "markets")
    }
}

extension PlaceWorld {
    /// The number of places from the source "markets".
    func marketCount() async throws -> Int {
        try await administration.listSources().first { $0.source.name == "markets" }?.count ?? 0
    }
}
