import PromisedConcurrency
import PromisedDomain
import PromisedFormats
import PromisedPlaces
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct PlaceImportsTests {
    // MARK: - What a file changes

    @Test(.proves("12.4"))
    func `repeated rows change nothing; counts one changed, one missing and one new row`() async throws {
        try await PlaceWorld.run { world in
            var rows = ImportedPlace.row(of: 1_200)
            #expect(try await world.importRows(rows, replaces: true) == PlaceImportReport.counts(added: 1_200))
            let version = try await world.store.places.directoryVersion()
            #expect(
                try await world.importRows(rows, replaces: true, size: 700)
                    == PlaceImportReport.counts(unchanged: 1_200)
            )
            // Only the fields of the source were written again.
            #expect(try await world.store.places.directoryVersion() == version + 1)
            rows[7].phone = "02-1"
            rows.removeFirst()
            rows.append(.sample("New"))
            let expected = PlaceImportReport.counts(added: 1, changed: 1, unchanged: 1_198, removed: 1)
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
            #expect(report == PlaceImportReport.counts(unchanged: 1))
            #expect(try await world.marketCount() == 10)
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
                let count = try await world.marketCount()
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
                #expect(report == PlaceImportReport.counts(unchanged: kept, removed: 100 - kept))
                #expect(try await world.marketCount() == kept)
            } else {
                await #expect(throws: ApplicationError.self) {
                    try await world.importRows(rows, replaces: true, maxRemovedPercent: percent)
                }
                #expect(try await world.marketCount() == 100)
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
            #expect(report == PlaceImportReport.counts(added: 5))
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
            // A ref of an earlier call is a repetition as well.
            let again = try await world.imports.put([.sample("Other", ref: "Place 13")], into: id)
            #expect(again.refused.map(\.problem.reason) == [.duplicate])
            #expect(again.report == PlaceImportReport.counts(added: 2, refused: 13))
            #expect(try await world.imports.finish(id) == PlaceImportReport.counts(added: 2, refused: 13))
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
            await #expect(throws: ApplicationError.self) {
                try await world.imports.put(ImportedPlace.row(of: 1_001), into: id)
            }
            #expect(try await world.imports.put(ImportedPlace.row(of: 1_000), into: id).refused.isEmpty)
            #expect(try await world.imports.finish(id) == PlaceImportReport.counts(added: 1_000))
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
            #expect(try await world.imports.finish(id) == PlaceImportReport.counts(added: 400, refused: 400))
        }
    }
}
