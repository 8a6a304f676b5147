import Foundation
import PromisedClient
import PromisedProtocol
import PromisedTestMarks
import Testing

@testable import promisectl

@Suite("Importing places", .timeLimit(.minutes(1)))
struct PlaceImportTests {
    private static let mapping = [
        "--source", "shops", "--map", "name=name", "--map", "latitude=lat", "--map", "longitude=lon",
        "--map", "ref=id", "--category", "cafe",
    ]

    /// A file of shops with ids from 1; those at `bad` have no name.
    private func file(of count: Int, bad: Set<Int> = [], address: String = "") throws -> SampleFile {
        let rows = (1...count).map { "\($0),\(bad.contains($0) ? "" : "Shop \($0)"),37.\($0),127.0,\(address)\n" }
        return try SampleFile("id,name,lat,lon,address\n" + rows.joined())
    }

    private func run(
        _ file: SampleFile,
        _ directory: StubDirectory,
        _ options: String...,
        console: StubConsole = StubConsole()
    ) async -> Run {
        let administration = StubAdministration(directory.answer)
        let arguments = ["place", "import", file.path] + Self.mapping + options
        return await Run(arguments, StubConnector(administration: administration), console)
    }

    @Test func `sends the rows and finishes the import`() async throws {
        let directory = StubDirectory()
        let run = await run(try file(of: 3), directory, "--title", "Shops", "--time-zone", "Asia/Seoul", "--replace")
        #expect(run.status == .done, "\(run.errors)")
        #expect(directory.rows.map(\.ref) == ["1", "2", "3"])
        #expect(directory.rows.allSatisfy { $0.categories == ["cafe"] && $0.place.latitude > 37 })
        #expect(directory.ending == ["finish"])
        let begun = try #require(directory.begun.first)
        #expect(begun.source.name == "shops" && begun.source.title == "Shops" && begun.timeZone == "Asia/Seoul")
        #expect(begun.replace && begun.maxRemovedPercent == 20 && !begun.dryRun)
        let numbers = ["rows:", "3", "added:", "3"]
        #expect(run.output.split(whereSeparator: \.isWhitespace).map(String.init).contains(numbers))
    }

    @Test func `prints only the numbers as JSON, also on a terminal`() async throws {
        let console = StubConsole(isTerminal: true, size: TerminalSize(columns: 80, rows: 24))
        let run = await run(try file(of: 20, bad: [7]), StubDirectory(refusing: ["5"]), "--json", console: console)
        #expect(run.status == .done && run.errors.isEmpty)
        let numbers = #""dryRun":false,"finished":true,"omittedLinks":0,"refused":2"#
        let rest = #""refusedBy":{"no-category":1,"no-name":1},"removed":0,"rows":20,"source":"shops","unchanged":0}"#
        #expect(run.output == #"{"added":18,"changed":0,"# + numbers + "," + rest + "\n")
    }

    @Test func `a terminal shows the progress and then only the numbers`() async throws {
        let console = StubConsole(isTerminal: true, size: TerminalSize(columns: 80, rows: 24))
        let run = await run(try file(of: 3), StubDirectory(), console: console)
        #expect(run.output.hasPrefix("\r\u{1B}[K3 rows"))
        #expect(run.output.contains("100 % of the file\r\u{1B}[K"))
    }

    @Test func `a request has at most 1,000 rows, and no more bytes than a frame`() async throws {
        let many = StubDirectory()
        #expect(await run(try file(of: 2_001), many).status == .done)
        // Requests that are sent together may arrive in any order.
        #expect(many.batches.sorted() == [1, 1_000, 1_000])
        let long = StubDirectory()
        let address = String(repeating: "길", count: 200)
        let file = try file(of: 300, address: address)
        #expect(await run(file, long, "--map", "address=address").status == .done)
        #expect(long.batches.count > 2 && long.batches.reduce(0, +) == 300)
        #expect(long.rows.map(\.ref).sorted() == (1...300).map(String.init).sorted())
    }

    @Test(arguments: [(10, true), (9, false)])
    func `does not finish with more rejected rows than allowed`(percent: Int, isFinished: Bool) async throws {
        let directory = StubDirectory(refusing: ["2"])
        let run = await run(try file(of: 20, bad: [4]), directory, "--skip-bad", "\(percent)", "--replace")
        #expect(run.status == (isFinished ? .done : .refused))
        #expect(directory.ending == [isFinished ? "finish" : "cancel"])
        #expect(run.output.contains("not finished: 2 of 20 rows are refused, more than 9 %") == !isFinished)
    }

    @Test(.proves("12.9")) func `reports every rejected row with its line`() async throws {
        let file = try file(of: 20, bad: [4])
        let report = file.beside("refused.csv")
        #expect(await run(file, StubDirectory(refusing: ["2"]), "--report", report).status == .done)
        let text = try String(contentsOfFile: report, encoding: .utf8)
        let expected = """
            line,reason,field,row,ref,name,file
            3,no-category,categories,2,2,Shop 2,
            5,no-name,,4,4,,

            """
        #expect(text == expected)
    }

    @Test func `pages of a service are one import, with the file of each rejected row`() async throws {
        let rows = [#"{"id":1,"name":"A","lat":37,"lon":127},{"id":2,"lat":37,"lon":127}"#, #"{"id":3}"#]
        let pages = try rows.enumerated().map { try SampleFile("[\($0.element)]", name: "page-\($0.offset + 1).json") }
        let last = try SampleFile(#"{"RESULT":{"CODE":"INFO-200","MESSAGE":"없음"}}"#, name: "page-3.json")
        let report = last.beside("refused.csv")
        let directory = StubDirectory()
        let run = await run(
            pages[0],
            directory,
            pages[1].path,
            last.path,
            "--replace",
            "--skip-bad",
            "100",
            "--report",
            report
        )
        #expect(run.status == .done, "\(run.errors)")
        #expect(directory.begun.count == 1 && directory.begun.first?.replace == true)
        #expect(directory.rows.map(\.ref) == ["1"] && directory.ending == ["finish"])
        let text = try String(contentsOfFile: report, encoding: .utf8)
        #expect(text.hasSuffix("1,no-name,,2,2,,page-1.json\n1,no-name,,3,3,,page-2.json\n"))
    }

    @Test func `a service's error on a later page cancels the import, with the service's words`() async throws {
        let first = try SampleFile(#"[{"id":1,"name":"A","lat":37,"lon":127}]"#, name: "page-1.json")
        let second = try SampleFile(#"{"RESULT":{"CODE":"ERROR-337","MESSAGE":"호출 제한"}}"#, name: "page-2.json")
        let directory = StubDirectory()
        let run = await run(first, directory, second.path, "--replace")
        #expect(run.status == .usage && directory.ending == ["cancel"])
        let words = "page-2.json: the service answered with an error in place of rows: ERROR-337: 호출 제한"
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test func `reports a missing column before connecting`() async throws {
        let directory = StubDirectory()
        let run = await run(try file(of: 3), directory, "--map", "phone=tel")
        #expect(run.status == .usage && run.errors.contains("the file has no column tel for phone"))
        #expect(directory.begun.isEmpty && directory.ending.isEmpty)
    }

    @Test(.proves("12.12")) func `an import without a usable row fails at any limit of rejected rows`() async throws {
        for (text, reason) in [
            ("id,name,lat,lon\n", "the file has no rows"),
            ("id,name,lat,lon\n1,,37,127\n2,,37,127\n", "all 2 rows are refused"),
            ("id,name,lat,lon\n1,A,0,0\n", "1 of them are null-island"),
        ] {
            let directory = StubDirectory()
            let run = await run(try SampleFile(text), directory, "--skip-bad", "100", "--replace")
            #expect(run.status == .refused && directory.ending == ["cancel"], "\(run.errors)")
            #expect(run.output.contains(reason), "\(run.output)")
        }
        // Rows that only the server refuses count as well.
        let refusing = StubDirectory(refusing: ["1", "2", "3"])
        let run = await run(try file(of: 3), refusing, "--skip-bad", "100", "--replace")
        #expect(run.status == .refused && refusing.ending == ["cancel"])
    }

    @Test(.proves("12.12")) func `reports decimal commas and another coordinate system`() async throws {
        let commas = await run(try SampleFile("id,name,lat,lon\n1,A,37,55,126,99\n"), StubDirectory())
        #expect(commas.status == .refused && commas.output.contains("positions with a decimal comma"))
        let crs = #""crs":{"type":"name","properties":{"name":"EPSG:3857"}}"#
        let geometry = #""geometry":{"type":"Point","coordinates":[14135014.98,4520206.44]}"#
        let properties = #""properties":{"id":"1","name":"A"}"#
        let feature = #"{"type":"Feature",\#(properties),\#(geometry)}"#
        let text = #"{"type":"FeatureCollection",\#(crs),"features":[\#(feature)]}"#
        let file = try SampleFile(text, name: "shops.geojson")
        let mapping = ["--source", "s", "--map", "name=name", "--map", "latitude=@latitude", "--map"]
        let arguments = ["place", "import", file.path] + mapping + ["longitude=@longitude", "--category", "cafe"]
        let directory = StubDirectory()
        let run = await Run(arguments, StubConsole(), answer: directory.answer)
        #expect(run.status == .refused && run.output.contains("are EPSG:3857: use --crs 3857"), "\(run.output)")
        let projected = await Run(arguments + ["--crs", "3857"], StubConsole(), answer: directory.answer)
        #expect(projected.status == .done && !projected.output.contains("EPSG"))
    }

    @Test func `reports exchanged columns`() async throws {
        let rows = (1...4).map { "\($0),Shop,127.\($0),37.5\n" }.joined()
        let run = await run(try SampleFile("id,name,lat,lon\n" + rows), StubDirectory())
        #expect(run.status == .refused)
        #expect(run.output.contains("swap the columns of latitude and longitude"))
    }

    @Test func `an import that the server rejects fails with its sentence`() async throws {
        let run = await run(try file(of: 3), StubDirectory(failsToFinish: true), "--replace")
        #expect(run.status == .refused && run.errors == "promisectl: too many would be removed\n")
    }

    @Test func `cancels the import of a truncated file`() async throws {
        let directory = StubDirectory()
        let broken = try SampleFile(#"[{"id":"1","name":"a","lat":1,"lon":2},"#, name: "places.json")
        let run = await run(broken, directory)
        #expect(run.status == .usage && directory.ending == ["cancel"])
    }

    @Test func `a signal cancels the import and exits like the shells`() async throws {
        let console = StubConsole()
        let directory = StubDirectory()
        let administration = StalledAdministration(directory) { console.interrupt(.interrupted) }
        let file = try file(of: 3)
        let context = Context(console: console, connector: StalledConnector(administration: administration))
        let token = try SampleFile("secret\n", name: "token")
        let arguments = ["place", "import", file.path, "--token-file", token.path] + Self.mapping
        let status = await Invocation(root: PromisectlCommand.self, arguments: arguments, context: context).run()
        #expect(status == .interrupted)
        #expect(directory.ending == ["cancel"])
        #expect(console.output.hasPrefix("interrupted: nothing was removed"))
    }

    @Test func `finds a preset by its path, and options override it`() async throws {
        let preset = try SampleFile(
            """
            source: {name: from-preset, title: Preset}
            file: {format: csv}
            fields: {ref: id, name: name, latitude: lat, longitude: lon}
            category: park
            """,
            name: "own.yaml"
        )
        let directory = StubDirectory()
        let run = await run(try file(of: 1), directory, "--preset", preset.path)
        #expect(run.status == .done, "\(run.errors)")
        #expect(directory.begun.first?.source.name == "shops" && directory.begun.first?.source.title == "Preset")
        #expect(directory.rows.first?.categories == ["cafe"])
    }
}

/// A server that never replies to rows.
private struct StalledAdministration: Administration {
    let notices = AsyncStream<ClientNotice> { $0.finish() }
    private let directory: StubDirectory
    private let onRows: @Sendable () -> Void

    init(_ directory: StubDirectory, onRows: @escaping @Sendable () -> Void) {
        self.directory = directory
        self.onRows = onRows
    }

    func ask<Reply: Sendable>(_ form: AdminForm<Reply>) async throws(Failure) -> Reply {
        if case .putPlaces = form.request {
            onRows()
            let (nothing, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
            // Ends when the task is cancelled.
            for await _ in nothing {}
            continuation.finish()
            throw .unreachable("cancelled")
        }
        var reply = WireAdminReply()
        reply.reply = try directory.answer(form.request).get()
        guard let reply = form.reply(in: reply) else { throw .refused("no such reply") }
        return reply
    }

    func readClock() async throws(Failure) -> ClockReading { ClockReading(serverMs: 0, ownMs: 0, tookMs: 1) }
    func close() async {}
}

private struct StalledConnector: Connector {
    let administration: StalledAdministration

    func connect(to target: Target) async throws(Failure) -> any Administration { administration }

    func probe(at address: ServerAddress, authoritiesFile: String?) async throws(Failure) -> ReachabilityProbe.Finding {
        throw .unreachable("no probe")
    }
}
