import PromisedAccess
import PromisedConcurrency
import PromisedDomain
import PromisedEngine
import PromisedFormats
import PromisedPlaces
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct PlaceImportsTests {
    private static func report(
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

    private static func audit(_ action: String) -> AuditEntry {
        AuditEntry(at: PlaceWorld.noon, actor: "ops", action: action, subject: "markets")
    }

    private static func count(_ world: PlaceWorld) async throws -> Int {
        try await world.administration.listSources().first { $0.source.name == "markets" }?.count ?? 0
    }

    // MARK: - What a file changes

    @Test(.proves("12.4"))
    func `repeated rows change nothing; counts one changed, one missing and one new row`() async throws {
        try await PlaceWorld.run { world in
            var rows = ImportedPlace.row(of: 1_200)
            #expect(try await world.importRows(rows, replaces: true) == Self.report(added: 1_200))
            let version = try await world.store.places.directoryVersion()
            #expect(try await world.importRows(rows, replaces: true, size: 700) == Self.report(unchanged: 1_200))
            // Only the fields of the source were written again.
            #expect(try await world.store.places.directoryVersion() == version + 1)
            rows[7].phone = "02-1"
            rows.removeFirst()
            rows.append(.sample("New"))
            let expected = Self.report(added: 1, changed: 1, unchanged: 1_198, removed: 1)
            #expect(try await world.importRows(rows, replaces: true, isDryRun: true) == expected)
            #expect(try await world.importRows(rows, replaces: true) == expected)
            await world.rebuild()
            let found = try await world.places.search("Place 0", limit: 5, for: .user(1)).cards.map(\.listing.name)
            #expect(!found.contains("Place 0"))
            #expect(try await world.places.view(.world, zoom: 0, for: .user(1)).total == 1_200)
        }
    }

    @Test func `keeps rows missing from the file unless replacing`() async throws {
        try await PlaceWorld.run(ImportedPlace.row(of: 10)) { world in
            let report = try await world.importRows(ImportedPlace.row(of: 1))
            #expect(report == Self.report(unchanged: 1))
            #expect(try await Self.count(world) == 10)
        }
    }

    @Test(.proves("12.4"), .defends("damaged-imports"))
    func `rejects replacing by half a file, with the next step`() async throws {
        try await PlaceWorld.run(ImportedPlace.row(of: 100)) { world in
            for isDryRun in [true, false] {
                let error = await #expect(throws: ApplicationError.self) {
                    try await world.importRows(ImportedPlace.row(of: 50), replaces: true, isDryRun: isDryRun)
                }
                guard case .refused(.invalid(field: "maxRemovedPercent"), _, let message?) = error else {
                    Issue.record("another error: \(String(describing: error))")
                    return
                }
                #expect(message.contains("50 of the 100 places of markets") && message.contains("20 %"))
                let count = try await Self.count(world)
                #expect(count == 100)
            }
        }
    }

    @Test(
        .proves("12.4"),
        arguments: [
            (80, 20, true), (79, 20, false), (0, 100, true), (0, 99, false), (1, 99, true), (100, 0, true),
        ]
    )
    func `limits removals from a source to the operator's share`(
        kept: Int,
        percent: Int,
        isAllowed: Bool
    ) async throws {
        try await PlaceWorld.run(ImportedPlace.row(of: 100)) { world in
            let rows = Array(ImportedPlace.row(of: 100).prefix(kept))
            if isAllowed {
                let report = try await world.importRows(rows, replaces: true, maxRemovedPercent: percent)
                #expect(report == Self.report(unchanged: kept, removed: 100 - kept))
                #expect(try await Self.count(world) == kept)
            } else {
                await #expect(throws: ApplicationError.self) {
                    try await world.importRows(rows, replaces: true, maxRemovedPercent: percent)
                }
                #expect(try await Self.count(world) == 100)
            }
        }
    }

    @Test func `rejects rows on a nearly full disk, and the import continues once there is room`() async throws {
        try await PlaceWorld.run { world in
            let rows = ImportedPlace.row(of: 10)
            world.isDiskFull.withLock { $0 = true }
            #expect(try await world.importRows(rows, isDryRun: true).added == 10)
            let order = PlaceImportOrder(source: .market)
            let id = try await world.imports.begin(order)
            let error = await #expect(throws: ApplicationError.self) { try await world.imports.put(rows, into: id) }
            guard case .unavailable(_, let message?) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(message.contains("free space"))
            world.isDiskFull.withLock { $0 = false }
            #expect(try await world.imports.put(rows, into: id).report.added == 10)
            #expect(try await world.imports.finish(id).added == 10)
        }
    }

    @Test func `restores a removed place under its id`() async throws {
        try await PlaceWorld.run(ImportedPlace.row(of: 10)) { world in
            let id = try await world.id("Place 3")
            let fewer = ImportedPlace.row(of: 10).filter { $0.name != "Place 3" }
            #expect(try await world.importRows(fewer, replaces: true).removed == 1)
            #expect(try await world.importRows(ImportedPlace.row(of: 10), replaces: true).added == 1)
            await world.rebuild()
            #expect(try await world.id("Place 3") == id)
        }
    }

    @Test func `a dry run of a new source writes nothing`() async throws {
        try await PlaceWorld.run { world in
            let version = try await world.store.places.directoryVersion()
            let report = try await world.importRows(ImportedPlace.row(of: 5), replaces: true, isDryRun: true)
            #expect(report == Self.report(added: 5))
            #expect(try await world.store.places.directoryVersion() == version)
            #expect(try await world.administration.listSources().isEmpty)
        }
    }

    // MARK: - Rows

    @Test func `rejects rows with their number, word and field`() async throws {
        try await PlaceWorld.run { world in
            var rows = (0..<14).map { ImportedPlace.sample("Place \($0)") }
            rows[1].name = "  "
            rows[2].coordinate = Coordinate(latitude: 91, longitude: 0)
            rows[3].coordinate = Coordinate(latitude: 0, longitude: 0)
            rows[4].categories = [CategoryID(text: "sauna")]
            rows[5].categories = []
            rows[6].ref = "Place 0"
            rows[7].address = "a\nb"
            rows[8].website = "javascript:alert(1)"
            rows[9].facts = [DirectoryPlace.Fact(key: "Not a key", value: "")]
            rows[10].names = [DirectoryPlace.Name(language: "a=b", name: "x")]
            rows[11].name = String(repeating: "a", count: 101)
            rows[12].hours = String(repeating: "a", count: 301)
            let id = try await world.imports.begin(PlaceImportOrder(source: .market))
            let refused = try await world.imports.put(rows, into: id).refused
            let words = refused.map { "\($0.index) \($0.problem.reason.rawValue) \($0.problem.field)" }
            #expect(
                words == [
                    "1 no-name name", "2 bad-position latitude", "3 null-island latitude", "4 no-category categories",
                    "5 no-category categories", "6 duplicate ref", "7 text address", "8 text website",
                    "9 text facts.key", "10 text names.language", "11 text name", "12 text hours",
                ]
            )
            // A ref that an earlier call had is a repetition as well.
            let again = try await world.imports.put([.sample("Other", ref: "Place 13")], into: id)
            #expect(again.refused.map(\.problem.reason) == [.duplicate])
            #expect(again.report == Self.report(added: 2, refused: 13))
            #expect(try await world.imports.finish(id) == Self.report(added: 2, refused: 13))
        }
    }

    @Test func `cleans texts, and derives the region from a Korean address unless given`() async throws {
        try await PlaceWorld.run { world in
            var named = ImportedPlace.sample(" 한글\u{1112}\u{1161}\u{11AB} ", ref: "a")
            named.region = RegionCode(text: "JP-13")
            try await world.importRows([named, .sample("B", address: " 부산 해운대구 1 ")])
            await world.rebuild()
            let cards = try await world.administration.find(nil, limit: 5).cards
            let listings = Dictionary(uniqueKeysWithValues: cards.map { ($0.listing.name, $0.listing) })
            #expect(listings["한글한"]?.region?.text == "JP-13")
            #expect(listings["B"]?.region?.text == "KR-26/해운대구" && listings["B"]?.address == "부산 해운대구 1")
        }
    }

    @Test func `accepts the operator's categories`() throws {
        let table = try CategoryTable(adding: [PlaceCategory(id: "sauna", english: "Sauna")])
        let row = ImportedPlace.sample("A", category: "sauna")
        #expect(try PlaceRules(categories: table).cleaned(row).categories == row.categories)
        let problem = #expect(throws: PlaceRowProblem.self) { try PlaceRules(categories: .builtIn).cleaned(row) }
        #expect(problem?.message == "No category is named sauna.")
    }

    @Test func `accepts a thousand rows in a batch and rejects more`() async throws {
        try await PlaceWorld.run { world in
            let id = try await world.imports.begin(PlaceImportOrder(source: .market))
            await #expect(throws: ApplicationError.self) { try await world.imports.put(ImportedPlace.row(of: 1_001), into: id) }
            #expect(try await world.imports.put(ImportedPlace.row(of: 1_000), into: id).refused.isEmpty)
            #expect(try await world.imports.finish(id) == Self.report(added: 1_000))
        }
    }

    @Test func `four concurrent calls import every row once`() async throws {
        try await PlaceWorld.run { world in
            let id = try await world.imports.begin(PlaceImportOrder(source: .market, replaces: true))
            let rows = ImportedPlace.row(of: 400)
            let refused = try await withThrowingTaskGroup(of: Int.self) { group in
                // Each row is in two of the calls.
                for start in [0, 100, 200, 300] {
                    let batch = (start..<start + 200).map { rows[$0 % 400] }
                    group.addTask { try await world.imports.put(batch, into: id).refused.count }
                }
                return try await group.reduce(0, +)
            }
            #expect(refused == 400)
            #expect(try await world.imports.finish(id) == Self.report(added: 400, refused: 400))
        }
    }

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
            #expect(try await world.imports.finish(second) == Self.report())
            #expect(try await Self.count(world) == 2)
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
            await #expect(throws: ApplicationError.self) { try await world.imports.begin(PlaceImportOrder(source: .market)) }
            world.realTime.advance(by: .nanoseconds(1))
            let next = try await world.imports.begin(PlaceImportOrder(source: .market))
            let error = await #expect(throws: ApplicationError.self) { try await world.imports.put([.sample("B")], into: id) }
            guard case .refused(.placeNotFound, field: "importId", _) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            try await world.imports.cancel(next)
            await world.rebuild()
            #expect(try await Self.count(world) == 1)
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
            #expect(report == Self.report(added: 100, unchanged: 100))
            #expect(try await Self.count(world) == 200)
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
                let id = try await world.imports.begin(order, audit: Self.audit("beginImport"))
                _ = try await world.imports.put([.sample("A"), .sample("", ref: "b")], into: id)
                _ = try await world.imports.finish(id, audit: Self.audit("finishImport"))
            }
            #expect(try await world.imports.removeSource(named: "markets", audit: Self.audit("removeSource")) == 1)
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
