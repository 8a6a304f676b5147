import Foundation
import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import PromisedWebSocketTransport
import Testing

@testable import PromisedSettings
@testable import promised

@Suite("The built binary plays the demo", .tags(.realTime), .serialized, .timeLimit(.minutes(2)))
struct DemoBoxTests {
    @Test func `plays the story and ends`() async throws {
        let run = try BinaryRun(["demo", "--once", "--speed", "1200", "--listen", "127.0.0.1:0"])
        async let errors = run.errors.reduce(into: []) { $0.append($1) }
        let lines = await run.wholeOutput()
        #expect(await run.exitCode() == 0)
        #expect(await errors.isEmpty)
        let strays = lines.filter { !MeetupLine.isOne($0) }
        #expect(strays.isEmpty)
        let output = lines.joined(separator: "\n")
        for word in [
            "http://127.0.0.1:", "early", "on time", "late", "no-show", "the result is final", "Haneul was there",
            "Bada was there", "Bada keeps the way there",
        ] {
            #expect(output.contains(word))
        }
    }

    @Test(.proves("exchangeCode"))
    func `its address signs a browser in, once, to a watchable meetup`() async throws {
        let run = try BinaryRun(["demo", "--speed", "60", "--listen", "127.0.0.1:0"])
        defer { run.terminate() }
        let link = try #require(await Self.link(in: run.output))
        let (promise, viewer) = try await Self.signedIn(to: link.port) { client in
            let viewer = try await client.exchangeCode(link.code).user
            _ = try await client.hello()
            return (try await Self.promise(of: client), viewer)
        }
        #expect(promise.ownerID == viewer.userID)
        #expect(promise.participants.count >= 6)
        #expect(promise.participants.allSatisfy { $0.membership == .accepted })
        let again = await Self.refusal(of: link)
        #expect(again == .codeInvalid)
        run.terminate()
        #expect(await run.exitCode() == 0)
    }

    @Test func `has places and weather around, the nearest place closed at the meeting time`() async throws {
        let run = try BinaryRun(["demo", "--speed", "60", "--listen", "127.0.0.1:0"])
        defer { run.terminate() }
        let link = try #require(await Self.link(in: run.output))
        try await Self.signedIn(to: link.port) { client in
            _ = try await client.exchangeCode(link.code)
            _ = try await client.hello()
            let promise = try await Self.promise(of: client)
            let outlook = try await client.getOutlook(promiseID: promise.promiseID)
            #expect(outlook.weatherState == .ready)
            #expect(outlook.weather.hours.contains { $0.condition == .rain })

            let (latitude, longitude) = (promise.place.latitude, promise.place.longitude)
            let near = try await client.nearbyPlaces(latitude: latitude, longitude: longitude, radiusMetres: 100).cards
            let closed = try #require(near.first)
            #expect(try await client.getOutlook(placeID: closed.placeID, at: promise.meetsAt).opening == .closed)
            var filter = WirePlaceFilter()
            filter.openAt = promise.meetsAt
            let open = try await client.nearbyPlaces(
                latitude: latitude,
                longitude: longitude,
                radiusMetres: 100,
                filter: filter
            )
            #expect(open.cards.map(\.placeID) == near.dropFirst().map(\.placeID))
        }
        run.terminate()
        #expect(await run.exitCode() == 0)
    }

    @Test func `only the page reports a missing map`() async throws {
        let recorder = LogRecorder()
        let log = recorder.logger(level: EmbeddedServer.logLevel)
        var web = ServerSettings().web
        web.leaflet = "/nonexistent"
        let opensAt = Instant(milliseconds: 1_795_514_400_000)
        let server = try await EmbeddedServer.start(web: web, opensAt: opensAt, rate: 1, log: log)
        try await server.serving {}
        #expect(recorder.records == [])
    }

    /// The address of the demo's page; nil if it ends before.
    private static func link(in output: AsyncStream<String>) async -> (port: UInt16, code: String)? {
        for await line in output {
            guard let match = line.wholeMatch(of: /promised demo: http:\/\/127\.0\.0\.1:(\d+)\/#demo=([\w-]{32})/),
                let port = UInt16(match.1)
            else { continue }
            return (port, String(match.2))
        }
        return nil
    }

    /// The promise that the page opens, in full.
    private static func promise(of client: PromisedClient) async throws -> WirePromise {
        for list in [WirePromiseList.Value.tracking, .upcoming] {
            guard let mine = try await client.listPromises(list).promises.first else { continue }
            return try await client.getPromise(mine.promiseID)
        }
        throw NoPromise()
    }

    private static func refusal(of link: (port: UInt16, code: String)) async -> ErrorCode? {
        do {
            _ = try await signedIn(to: link.port) { try await $0.exchangeCode(link.code) }
            return nil
        } catch {
            return (error as? ClientError)?.code
        }
    }

    /// Runs `body` with a connected client.
    private static func signedIn<Value: Sendable>(
        to port: UInt16,
        _ body: (PromisedClient) async throws -> Value
    ) async throws -> Value {
        var log = Logger(label: "demo-box")
        log.logLevel = .critical
        let address = ServerAddress(host: "127.0.0.1", port: port)
        let client = PromisedClient(
            settings: ClientSettings(address: address, codec: .json),
            transport: WebSocketTransport(log: log),
            log: log
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            do {
                let value = try await body(client)
                await client.close()
                return value
            } catch {
                await client.close()
                throw error
            }
        }
    }

    private struct NoPromise: Error {}
}

/// The lines that a meetup prints, a pattern for each kind.
private enum MeetupLine {
    private static var patterns: [Regex<Substring>] {
        [
            // Before the window opens.
            #/\d+ friends meet at .+ at \d\d:\d\d:\d\d UTC, \d+ times as fast as real time/#,
            #/the page's Places screen has 300 invented places, the nearest one closed that day, and weather/#,
            ##/promised demo: http://127\.0\.0\.1:\d+/#demo=[\w-]{32}/##,
            #/\d+ participants are ready, the window opens at \d\d:\d\d:\d\d/#,
            // Events.
            #/\d\d:\d\d:\d\d  (?:tracking started|meeting time|tracking ended|nobody is late|the result is final)/#,
            #/\d\d:\d\d:\d\d  late: \w+(?:, \w+)*/#,
            #/\d\d:\d\d:\d\d  \w+ (?:arrived|confirmed) at \d\d:\d\d:\d\d \([+-]\d+:\d\d, rank \d+\)/#,
            #/\d\d:\d\d:\d\d  \w+ did not arrive after all \([A-Za-z_]+\)/#,
            #/\d\d:\d\d:\d\d  ranking revised \([A-Za-z_]+\): \d+\. \w+(?:, \d+\. \w+)*/#,
            // Visits and courses.
            #/\w+ was there, and notes: .+/#,
            #/\w+ keeps the way there as a course of \d+ m/#,
            // The table.
            #/rank +name +outcome +credited +from meeting +source +owes/#,
            #/-+(?: +-+){6}/#,
            #/(?:\d+|-) +\w+ +(?:early|on time|late|no-show) +(?:\d\d:\d\d:\d\d +[+-]\d+:\d\d +gps|- +- +-) +(?:-|\d+ KRW)/#,
            #/together: \d+ KRW/#,
        ]
    }

    static func isOne(_ line: String) -> Bool {
        line.isEmpty || patterns.contains { line.wholeMatch(of: $0) != nil }
    }
}
