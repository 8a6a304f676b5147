import Foundation
import PromisedClient
import PromisedProtocol
import PromisedTestSupport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("promisectl and a promise", .tags(.realTime), .serialized, .timeLimit(.minutes(5)))
struct PromiseStoryTests {
    private static let place = ["--place", "52.52,13.405", "--place-name", "Café"]

    /// The id in the document that `promise create --json` prints.
    private func makePromise(_ world: OperatorWorld, in minutes: Int, _ more: [String] = []) async throws -> String {
        let meets = try await serverTime(world).addingTimeInterval(Double(minutes) * 60).formatted(.iso8601)
        let arguments = ["promise", "create", "--owner", "ada", "--title", "Lunch", "--at", meets, "--json"]
        let made = try await world.output(of: arguments + Self.place + more)
        return try WirePromiseReply(jsonString: made).promise.promiseID
    }

    /// The server's current time, read from a new entry of the audit.
    private func serverTime(_ world: OperatorWorld) async throws -> Date {
        try await world.output(of: ["user", "enable", "ada"])
        let entry = try WireAdminAuditEntry(
            jsonString: try await world.output(of: ["audit", "--limit", "1", "--jsonl"])
        )
        return Date(timeIntervalSince1970: entry.at.readingMs / 1_000)
    }

    /// A server with two friends.
    private func withFriends(
        rate: Int = 1,
        settings: [String] = [],
        _ body: (OperatorWorld) async throws -> Void
    ) async throws {
        try await OperatorWorld.with(rate: rate, settings: settings) { world in
            for nickname in ["ada", "bob", "eve"] { try await world.makeUser(nickname) }
            for friend in ["bob", "eve"] { try await world.output(of: ["friend", "add", "ada", friend]) }
            try await body(world)
        }
    }

    @Test func `is created, changed and cancelled`() async throws {
        try await withFriends { world in
            let id = try await makePromise(world, in: 600, ["--invite", "bob", "--penalty", "500,EUR"])
            var story = Transcript(world)
            let meets = try await serverTime(world).addingTimeInterval(40_000).formatted(.iso8601)
            story.hide(meets, as: "INSTANT")
            let rest = ["--at", meets, "--place", "52.52,13.405", "--place-name", "Café", "--invite", "eve"]
            try await story.run(["promise", "create", "--owner", "ada", "--title", "Tea"] + rest)
            try await story.run(["promise", "create", "--owner", "ada", "--title", "Cake", "--json"] + rest)
            try await story.run(["promise", "create", "--owner", "bob", "--title", "Beer"] + rest)
            try await story.show("promise", "list", "--status", "scheduled")
            try await story.run("promise", "edit", id, "--title", "Dinner", "--radius", "80")
            try await story.json("promise", "edit", id, "--note", "Bring cake")
            try await story.run("promise", "invite", id, "eve")
            try await story.run("promise", "remove", id, "bob", "--yes")
            try await story.json("promise", "remove", id, "eve", "--yes")
            try await story.json("promise", "invite", id, "bob")
            try await story.show("promise", "show", id)
            try await story.run("promise", "result", id)
            try await story.run("promise", "cancel", id, "--reason", "storm", "--yes")
            try await story.run("promise", "edit", id, "--title", "Supper")
            let second = try await makePromise(world, in: 600)
            try await story.json("promise", "cancel", second, "--yes")
            try Golden.expect(story.text, matches: "story-promise.txt")
        }
    }

    @Test(.enabled(if: BuildPace.isOrdinary, "the thread sanitizer's build is too slow"))
    func `is watched until its result, which is explained, excused and exported`() async throws {
        // Eight minutes pass in as many seconds.
        try await withFriends(rate: 60, settings: ["window.before=5m"]) { world in
            let id = try await makePromise(
                world,
                in: 8,
                ["--invite", "bob", "--rule", "first-fix", "--penalty", "500,EUR"]
            )
            try await world.signedIn(as: "bob") { _ = try await $0.respond(promiseID: id, accept: true) }
            let forPeople = try world.start(["promise", "watch", id])
            let watch = try world.start(["promise", "watch", id, "--jsonl"])
            var story = Transcript(world)
            var names: [String] = []
            for await line in watch.output {
                guard let name = try nameOfEvent(line) else { continue }
                names.append(name)
                guard name == "trackingStarted" else { continue }
                try await reportArrival(of: "ada", at: world, promise: id)
                try await story.show("session", "list")
                try await story.show("session", "show", id)
            }
            #expect(await watch.exitCode() == 0)
            let milestones = ["trackingStarted", "arrived", "meetingTime", "late", "trackingEnded", "resultFinal"]
            #expect(names.filter(milestones.contains) == milestones)
            await story.takeWatch(forPeople, "promise watch \(id)")
            try await showEvidence(of: id, in: &story)
            try Golden.expect(story.text, matches: "story-result.txt")
        }
    }

    private func nameOfEvent(_ line: String) throws -> String? {
        let frame = try WireServerFrame(jsonString: line)
        guard case .event(let event) = frame.content, let what = event.what else { return nil }
        return "\(what)".prefix { $0 != "(" }.description
    }

    private func showEvidence(of id: String, in story: inout Transcript) async throws {
        try await story.show("promise", "watch", id)
        try await story.show("promise", "result", id)
        try await story.show("promise", "explain", id, "ada")
        try await story.run("promise", "explain", id, "bob")
        try await story.run("promise", "excuse", id, "ada", "--reason", "storm")
        try await story.run("promise", "excuse", id, "bob", "--reason", "storm")
        try await story.json("promise", "excuse", id, "bob", "--reason", "a strike")
        for form in ["--csv", "--gpx", "--geojson"] { try await story.run("promise", "export", id, form) }
    }

    /// Reports one fix at the place.
    private func reportArrival(of nickname: String, at world: OperatorWorld, promise: String) async throws {
        let reported = try await world.signedIn(as: nickname) { client in
            var report = WireReport()
            report.promiseID = promise
            let fix = WireFix.with {
                $0.seq = 1
                $0.latitude = 52.52
                $0.longitude = 13.405
                $0.accuracyMetres = 5
            }
            report.fixes = [fix]
            return try await client.report(report)
        }
        #expect(reported.taken == [1])
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
