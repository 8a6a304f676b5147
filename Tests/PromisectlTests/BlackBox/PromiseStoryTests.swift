import Foundation
import Logging
import PromisedClient
import PromisedWire
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("promisectl and a promise", .serialized, .timeLimit(.minutes(5)))
struct PromiseStoryTests {
    private static let place = ["--place", "52.52,13.405", "--place-name", "Café"]

    /// The id in the document that `promise create --json` prints.
    private func makePromise(_ world: OperatorWorld, in minutes: Int, _ more: [String] = []) async throws -> String {
        let meets = try await serverTime(world).addingTimeInterval(Double(minutes) * 60).formatted(.iso8601)
        let arguments = ["promise", "create", "--owner", "ada", "--title", "Lunch", "--at", meets, "--json"]
        let made = try await world.output(of: arguments + Self.place + more)
        return try WirePromiseReply(jsonString: made).promise.promiseID
    }

    /// What the server's clock showed when something was done last.
    private func serverTime(_ world: OperatorWorld) async throws -> Date {
        try await world.output(of: ["user", "enable", "ada"])
        let entry = try WireAdminAuditEntry(
            jsonString: try await world.output(of: ["audit", "--limit", "1", "--jsonl"])
        )
        return Date(timeIntervalSince1970: entry.at.readingMs / 1_000)
    }

    /// A server with two friends.
    private func withFriends(rate: Int = 1, _ body: (OperatorWorld) async throws -> Void) async throws {
        try await OperatorWorld.with(rate: rate) { world in
            for nickname in ["ada", "bob", "eve"] { try await world.makeUser(nickname) }
            for friend in ["bob", "eve"] { try await world.output(of: ["friend", "add", "ada", friend]) }
            try await body(world)
        }
    }

    @Test func `is made, changed and cancelled`() async throws {
        try await withFriends { world in
            let id = try await makePromise(world, in: 600, ["--invite", "bob", "--penalty", "500,EUR"])
            var story = Transcript(world)
            try await story.show("promise", "list", "--status", "scheduled")
            try await story.run("promise", "edit", id, "--title", "Dinner", "--radius", "80")
            try await story.run("promise", "invite", id, "eve")
            try await story.run("promise", "remove", id, "bob", "--yes")
            try await story.show("promise", "show", id)
            try await story.run("promise", "result", id)
            try await story.run("promise", "cancel", id, "--reason", "storm", "--yes")
            try await story.run("promise", "edit", id, "--title", "Supper")
            try Golden.expect(story.text, matches: "story-promise.txt")
        }
    }

    @Test func `is watched until its result, which is explained, excused and exported`() async throws {
        try await withFriends(rate: 60) { world in
            let id = try await makePromise(world, in: 8, ["--invite", "bob", "--rule", "first-fix"])
            let watch = try world.start(["promise", "watch", id, "--jsonl"])
            var names: Set<String> = []
            for await line in watch.output {
                let frame = try WireServerFrame(jsonString: line)
                guard case .event(let event) = frame.content, let what = event.what else { continue }
                names.insert("\(what)".prefix { $0 != "(" }.description)
                guard case .trackingStarted = what else { continue }
                try await report(from: "ada", to: world, promise: id)
                #expect(try await world.output(of: ["session", "show", id]).contains("followed by:  1 connection"))
                #expect(try await world.output(of: ["session", "list"]).contains(id))
            }
            #expect(await watch.exitCode() == 0)
            #expect(names.isSuperset(of: ["trackingStarted", "arrived", "trackingEnded", "resultFinal"]), "\(names)")
            try await showEvidence(of: id, world)
        }
    }

    private func showEvidence(of id: String, _ world: OperatorWorld) async throws {
        #expect(try await world.output(of: ["promise", "result", id]).contains("early"))
        #expect(try await world.output(of: ["promise", "explain", id, "ada"]).contains("first fix"))
        let excused = ["promise", "excuse", id, "ada", "--reason", "storm", "--json"]
        #expect(try await world.output(of: excused).contains(#""excusedReason":"storm""#))
        let csv = try await world.output(of: ["promise", "export", id, "--csv"])
        #expect(csv.split(separator: "\n").count == 2)
        #expect(csv.contains(",ada,1,1,"))
        #expect(try await world.output(of: ["promise", "export", id, "--gpx"]).contains("<trkpt lat=\"52.52\" lon=\"13.405\">"))
        #expect(try await world.output(of: ["promise", "export", id, "--geojson"]).contains("[13.405,52.52]"))
        #expect(try await world.output(of: ["promise", "watch", id]).contains("final"))
    }

    /// Reports one fix at the place.
    private func report(from nickname: String, to world: OperatorWorld, promise: String) async throws {
        let address = try #require(ServerAddress(world.url))
        var log = Logger(label: "promisectl-tests")
        log.logLevel = .critical
        let client = PromisedClient(settings: ClientSettings(address: address), log: log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            _ = try await client.signIn(email: "\(nickname)@example.org", password: "correct horse")
            var report = WireReport()
            report.promiseID = promise
            var fix = WireFix()
            fix.seq = 1
            fix.latitude = 52.52
            fix.longitude = 13.405
            fix.accuracyMetres = 5
            report.fixes = [fix]
            #expect(try await client.report(report).taken == [1])
            await client.close()
            try await group.waitForAll()
        }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)])
    func `a watch that is interrupted ends with the signal's code`(signal: Int32, code: Int) async throws {
        try await withFriends { world in
            let id = try await makePromise(world, in: 600)
            let watch = try world.start(["promise", "watch", id])
            for await line in watch.output where line.contains("RANK") {
                // Signals are caught before the table is shown.
                watch.signal(signal)
            }
            #expect(await watch.exitCode() == Int32(code))
        }
    }
}
