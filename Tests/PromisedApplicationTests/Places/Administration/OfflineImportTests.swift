import Foundation
import PromisedConcurrency
import PromisedDomain
import PromisedPlaces
import PromisedSettings
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// The import of `promised place import`, without a server.
@Suite(.timeLimit(.minutes(5))) struct OfflineImportTests {
    private struct Broken: Error {}

    private let folder = FileManager.default.temporaryDirectory.appending(path: "promised-offline-\(UUID())").path

    private func withDirectory(_ body: (Maintenance) async throws -> Void) async throws {
        // A test that failed to create it has nothing to remove.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Store.open(directory: folder).close()
        try await body(Maintenance(directory: folder))
    }

    private func importRows(
        _ batches: [[ImportedPlace]],
        by maintenance: Maintenance,
        categories: CategoryTable = .builtIn,
        breaking: Bool = false,
        finishing: Bool = true
    ) async throws -> (report: PlaceImportReport, refused: [[Int]]) {
        let (rest, refused) = (Guarded(batches[...]), Guarded<[[Int]]>([]))
        let report = try await maintenance.importPlaces(
            PlaceImportOrder(source: .market, replaces: true),
            categories: categories,
            next: {
                let next = rest.withLock { $0.popFirst() }
                if next == nil, breaking { throw Broken() }
                return next
            },
            refused: { rows in refused.withLock { $0.append(rows.map(\.index)) } },
            mayFinish: { finishing }
        )
        return (report, refused.withLock { $0 })
    }

    @Test func `imports a file like the server and records it in the audit`() async throws {
        try await withDirectory { maintenance in
            let batches = [ImportedPlace.row(of: 3) + [.sample("Sauna", category: "sauna")], [.sample("Last")]]
            let first = try await importRows(batches, by: maintenance)
            #expect(first.report.added == 4 && first.report.refused == 1 && first.refused == [[3], []])
            let again = try await importRows([ImportedPlace.row(of: 3), [.sample("Last")]], by: maintenance)
            #expect(again.report.unchanged == 4 && again.report.added == 0 && again.report.removed == 0)
            #expect(try await maintenance.verify().isEmpty)
            let store = try await Store.open(directory: folder)
            let entries = try await store.administration.audit(since: nil, after: nil, limit: 10).items
            #expect(entries.map(\.action) == ["finishImport", "beginImport", "finishImport", "beginImport"])
            #expect(entries.allSatisfy { $0.actor == "promised" && $0.subject == "markets" })
            try await store.close()
        }
    }

    @Test func `a truncated file removes no places`() async throws {
        try await withDirectory { maintenance in
            _ = try await importRows([ImportedPlace.row(of: 10)], by: maintenance)
            await #expect(throws: MaintenanceError.self) {
                try await importRows([ImportedPlace.row(of: 9)], by: maintenance, breaking: true)
            }
            let again = try await importRows([ImportedPlace.row(of: 10)], by: maintenance)
            #expect(again.report.unchanged == 10)
        }
    }

    @Test func `an import that cannot finish reports its rows and removes no places`() async throws {
        try await withDirectory { maintenance in
            _ = try await importRows([ImportedPlace.row(of: 10)], by: maintenance)
            let batches = [ImportedPlace.row(of: 9) + [.sample("Last")]]
            let stopped = try await importRows(batches, by: maintenance, finishing: false)
            #expect(stopped.report.unchanged == 9 && stopped.report.added == 1 && stopped.report.removed == 0)
            let again = try await importRows([ImportedPlace.row(of: 10) + [.sample("Last")]], by: maintenance)
            #expect(again.report.unchanged == 11)
        }
    }

    @Test func `a refusal has a sentence with the next step`() async throws {
        try await withDirectory { maintenance in
            _ = try await importRows([ImportedPlace.row(of: 10)], by: maintenance)
            let error = await #expect(throws: MaintenanceError.self) {
                try await importRows([ImportedPlace.row(of: 2)], by: maintenance)
            }
            #expect(error?.description.hasPrefix("The rows lack 8 of the 10 places of markets") == true)
        }
    }

    @Test func `the check of a data directory accepts the operator's categories`() async throws {
        try await withDirectory { maintenance in
            let table = try CategoryTable(adding: [PlaceCategory(id: "sauna", english: "Sauna")])
            let rows = [[ImportedPlace.sample("Sauna", category: "sauna")]]
            _ = try await importRows(rows, by: maintenance, categories: table)
            #expect(try await maintenance.verify(categories: table).isEmpty)
            #expect(try await !maintenance.verify().isEmpty)
        }
    }

    @Test func `reads the categories from the file of the setting`() throws {
        var settings = ServerSettings().places
        #expect(try PlaceCategories.load(settings) == .builtIn)
        let file = try TemporaryFile("categories:\n- {id: sauna, en: Sauna}", name: "categories.yaml")
        settings.categories = file.path
        #expect(try PlaceCategories.load(settings).categories.last?.id.text == "sauna")
        let broken = try TemporaryFile("categories:\n- {id: Sauna, en: Sauna}", name: "categories.yaml")
        settings.categories = broken.path
        let error = try #require(throws: PlaceCategoriesError.self) { try PlaceCategories.load(settings) }
        #expect(error.description.contains(broken.path) && error.description.contains("line 2"))
    }
}
