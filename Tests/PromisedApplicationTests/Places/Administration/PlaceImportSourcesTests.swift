import PromisedAccess
import PromisedDomain
import PromisedEngine
import PromisedPlaces
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// The source of an import: one import at a time, its texts and its audit entries.
@Suite(.timeLimit(.minutes(5))) struct PlaceImportSourcesTests {
    // MARK: - One at a time

    @Test(.proves("place.busy"))
    func `rejects a second import of a source until the first ends`() async throws {
        try await PlaceWorld.run { world in
            let first = try await world.imports.begin(PlaceImportOrder(source: .market))
            func isBusy(_ act: () async throws -> Void) async -> Bool {
                do {
                    try await act()
                    return false
                } catch ApplicationError.refused(.placeBusy, _, _) {
                    return true
                } catch {
                    Issue.record("another error: \(error)")
                    return false
                }
            }
            let dry = PlaceImportOrder(source: .market, isDryRun: true)
            #expect(await isBusy { _ = try await world.imports.begin(dry) })
            #expect(await isBusy { _ = try await world.imports.removeSource(named: "markets") })
            // Another source is free.
            let other = PlaceSource(name: "cafes", timeZone: "Asia/Seoul")
            let second = try await world.imports.begin(PlaceImportOrder(source: other))
            try await world.imports.cancel(second)
            try await world.imports.cancel(first)
            #expect(await !isBusy { try await world.imports.cancel(try await world.imports.begin(dry)) })
        }
    }

    @Test func `a new import replaces one whose connection ended, unless that resumed`() async throws {
        try await PlaceWorld.run { world in
            let (lost, next) = (SubscriberID(rawValue: 1), SubscriberID(rawValue: 2))
            let order = PlaceImportOrder(source: .market)
            let first = try await world.imports.begin(order, from: lost)
            _ = try await world.imports.put([.sample("A")], into: first, from: lost)
            await world.imports.forget(next)
            await #expect(throws: ApplicationError.self) { try await world.imports.begin(order, from: next) }
            await world.imports.forget(lost)
            // The import continues over another connection.
            _ = try await world.imports.put([.sample("B")], into: first, from: next)
            await #expect(throws: ApplicationError.self) { try await world.imports.begin(order, from: lost) }
            await world.imports.forget(next)
            let second = try await world.imports.begin(order, from: lost)
            await #expect(throws: ApplicationError.self) { try await world.imports.put([.sample("C")], into: first) }
            #expect(try await world.imports.finish(second) == PlaceImportReport.counts())
            #expect(try await world.marketCount() == 2)
        }
    }

    @Test func `rejects one source beyond the limit, not an existing one`() async throws {
        try await PlaceWorld.run { world in
            for number in 0..<PlaceImports.mostSources {
                try await world.store.places.putSource(PlaceSource(name: "source-\(number)", timeZone: ""))
            }
            let known = PlaceSource(name: "source-7", timeZone: "")
            try await world.imports.cancel(try await world.imports.begin(PlaceImportOrder(source: known)))
            let error = await #expect(throws: ApplicationError.self) {
                try await world.imports.begin(PlaceImportOrder(source: .market))
            }
            guard case .refused(.placeLimit, field: "source.name", _) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(await world.imports.sources.isEmpty)
        }
    }

    @Test func `an import without rows expires after ten minutes, and its rows stay`() async throws {
        try await PlaceWorld.run { world in
            let id = try await world.imports.begin(PlaceImportOrder(source: .market))
            world.realTime.advance(by: PlaceImports.idleLimit - .seconds(1))
            _ = try await world.imports.put([.sample("A")], into: id)
            world.realTime.advance(by: PlaceImports.idleLimit - .nanoseconds(1))
            await #expect(throws: ApplicationError.self) {
                try await world.imports.begin(PlaceImportOrder(source: .market))
            }
            world.realTime.advance(by: .nanoseconds(1))
            let next = try await world.imports.begin(PlaceImportOrder(source: .market))
            let error = await #expect(throws: ApplicationError.self) {
                try await world.imports.put([.sample("B")], into: id)
            }
            guard case .refused(.placeNotFound, field: "importId", _) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            try await world.imports.cancel(next)
            await world.rebuild()
            #expect(try await world.marketCount() == 1)
            #expect(try await world.places.view(.seoul, zoom: 5, for: .user(1)).total == 1)
        }
    }

    @Test(.proves("12.5")) func `repeating an interrupted import gives the result of an uninterrupted one`()
        async throws
    {
        try await PlaceWorld.run(ImportedPlace.row(of: 10)) { world in
            let rows = ImportedPlace.row(of: 200).map { row in
                var row = row
                row.phone = "1"
                return row
            }
            let id = try await world.imports.begin(PlaceImportOrder(source: .market, replaces: true))
            _ = try await world.imports.put(Array(rows.prefix(100)), into: id)
            try await world.imports.cancel(id)
            let report = try await world.importRows(rows, replaces: true)
            #expect(report == PlaceImportReport.counts(added: 100, unchanged: 100))
            #expect(try await world.marketCount() == 200)
        }
    }

    @Test func `a finished import rejects rows`() async throws {
        try await PlaceWorld.run { world in
            let id = try await world.imports.begin(PlaceImportOrder(source: .market))
            _ = try await world.imports.finish(id)
            await #expect(throws: ApplicationError.self) { try await world.imports.put([.sample("A")], into: id) }
            await #expect(throws: ApplicationError.self) { try await world.imports.finish(id) }
            await #expect(throws: ApplicationError.self) { try await world.imports.cancel(id) }
        }
    }

    // MARK: - Sources and the audit

    @Test func `the next import replaces the texts of a source`() async throws {
        try await PlaceWorld.run([.sample("A")]) { world in
            let renamed = PlaceSource(name: "markets", title: " Markets ", url: "https://example.org", timeZone: "")
            try await world.importRows([], source: renamed)
            let source = try #require(try await world.store.places.placeSource(named: "markets"))
            #expect(source.title == "Markets" && source.url == "https://example.org")
            #expect(source.licence.isEmpty && source.timeZone.isEmpty)
        }
    }

    @Test(
        .proves("12.10"),
        arguments: [
            ("Markets", "", "", "source.name"), ("", "", "", "source.name"),
            (String(repeating: "a", count: 41), "", "", "source.name"), ("a", "ftp://example.org", "", "source.url"),
            ("a", "https://", "", "source.url"), ("a", "http://02.123.4567", "", "source.url"),
            ("a", "", "Mars/Olympus", "timeZone"), ("a", "", "", "source.title"),
        ]
    )
    func `rejects an invalid source with its field`(
        name: String,
        url: String,
        zone: String,
        field: String
    ) async throws {
        try await PlaceWorld.run { world in
            let title = field == "source.title" ? String(repeating: "a", count: 101) : ""
            let source = PlaceSource(name: name, title: title, url: url, timeZone: zone)
            do {
                _ = try await world.imports.begin(PlaceImportOrder(source: source))
                Issue.record("it was taken")
            } catch ApplicationError.refused(.invalid(let found), _, _) {
                #expect(found == field)
            } catch Refusal.invalid(let found) {
                #expect(found == field)
            } catch let problem as TextProblem {
                #expect(problem.field == field)
            }
        }
    }

    @Test func `records begin and finish in the audit with the report, but not a dry run`() async throws {
        try await PlaceWorld.run { world in
            for isDryRun in [true, false] {
                let order = PlaceImportOrder(source: .market, isDryRun: isDryRun)
                let id = try await world.imports.begin(order, audit: AuditEntry.ofMarkets("beginImport"))
                _ = try await world.imports.put([.sample("A"), .sample("", ref: "b")], into: id)
                _ = try await world.imports.finish(id, audit: AuditEntry.ofMarkets("finishImport"))
            }
            #expect(
                try await world.imports.removeSource(named: "markets", audit: AuditEntry.ofMarkets("removeSource")) == 1
            )
            let entries = try await world.store.administration.audit(since: nil, after: nil, limit: 10).items
            #expect(entries.map(\.action) == ["removeSource", "finishImport", "beginImport"])
            #expect(entries.dropFirst().first?.detail == "added 1, changed 0, unchanged 0, removed 0, refused 1")
        }
    }

    @Test func `removes a source with its places, and does not find an unknown one`() async throws {
        try await PlaceWorld.run(ImportedPlace.row(of: 30)) { world in
            let removed = try await world.imports.removeSource(named: "markets")
            #expect(removed == 30)
            await world.rebuild()
            #expect(try await world.places.view(.seoul, zoom: 5, for: .user(1)).total == 0)
            #expect(try await world.administration.listSources().isEmpty)
            await #expect(throws: ApplicationError.self) { try await world.imports.removeSource(named: "markets") }
        }
    }
}
