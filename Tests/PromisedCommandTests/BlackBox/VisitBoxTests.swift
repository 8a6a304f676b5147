import Foundation
import PromisedClient
import PromisedProtocol
import SwiftProtobuf
import Testing

/// Visits from a promise whose server, the built binary, dies around the result.
@Suite("The built binary makes each visit once", .tags(.realTime), .timeLimit(.minutes(4)))
struct VisitBoxTests {
    /// When the server dies, in milliseconds of its clock after the instant at which the result is final.
    static let moments = [-1_000, -20, 0, 5, 10, 20, 50, 1_000]

    /// Two participants who arrive, and one who does not.
    private static let names = ["Ada", "Bea", "Cem"]
    private static let settings = [
        "window.before=1m", "window.after=1m", "window.settle=20s", "limits.request-burst=100000",
    ]

    @Test func `a server killed around the end of a promise makes one visit for each arrival`() async throws {
        try await withTemporaryFolder { folder in
            let meeting = try await Self.meet(in: folder + "/met")
            for moment in Self.moments {
                let data = "\(folder)/\(moment)"
                try FileManager.default.copyItem(atPath: folder + "/met", toPath: data)
                try await Self.settle(meeting, in: data, until: moment)
                try await Self.expectOneVisitEach(of: meeting, in: data, "killed at \(moment) ms")
            }
        }
    }

    /// A promise of ``names``.
    private struct Meeting: Sendable {
        let promiseID: String
        let meetsAt: Date

        /// When the result is final.
        var settlesAt: Date { meetsAt + 80 }
    }

    private static func start(_ data: String, at instant: Date) async throws -> ServerProcess {
        try await ServerProcess.start(data: data, clock: instant, settings: settings)
    }

    private static func kill(_ server: ServerProcess) async {
        server.run.kill()
        _ = await server.run.exitCode()
    }

    private static func signIn(_ client: PromisedClient, _ name: String) async throws -> WireWelcome {
        _ = try await client.signIn(email: "\(name)@example.org", password: "correct horse \(name)")
        return try await client.hello()
    }

    /// Creates the promise, in which all but the last check in, and kills the server.
    private static func meet(in data: String) async throws -> Meeting {
        // The binary accepts whole seconds.
        let meetsAt = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded())
        let first = try await start(data, at: meetsAt - 3_600)
        let promiseID = try await first.withClients(names.count) { clients in try await promise(of: clients, meetsAt) }
        await kill(first)
        let second = try await start(data, at: meetsAt - 30)
        try await second.withClients(names.count - 1) { clients in
            for (client, name) in zip(clients, names) {
                _ = try await signIn(client, name)
                _ = try await client.report(.atThePlace(of: promiseID))
                _ = try await client.checkIn(promiseID: promiseID)
            }
        }
        await kill(second)
        return Meeting(promiseID: promiseID, meetsAt: meetsAt)
    }

    private static func promise(of clients: [PromisedClient], _ meetsAt: Date) async throws -> String {
        var ids: [String] = []
        for (client, name) in zip(clients, names) {
            let password = "correct horse \(name)"
            let session = try await client.signUp(email: "\(name)@example.org", password: password, nickname: name)
            ids.append(session.user.userID)
            _ = try await client.hello()
        }
        for (client, id) in zip(clients, ids).dropFirst() {
            _ = try await clients[0].requestFriend(userID: id)
            _ = try await client.acceptFriend(userID: ids[0])
        }
        let request = WireCreatePromise.with {
            ($0.key, $0.title) = ("1", "Dinner")
            ($0.place.name, $0.place.latitude, $0.place.longitude) = ("The pier", 37.5, 127)
            $0.meetsAt = Google_Protobuf_Timestamp(date: meetsAt)
            $0.inviteeIds = Array(ids.dropFirst())
        }
        let promiseID = try await clients[0].createPromise(request).promise.promiseID
        for client in clients.dropFirst() { _ = try await client.respond(promiseID: promiseID, accept: true) }
        return promiseID
    }

    /// Runs a server in the last seconds of settling and kills it at a moment.
    private static func settle(_ meeting: Meeting, in data: String, until moment: Int) async throws {
        let server = try await start(data, at: meeting.settlesAt - 4)
        let death = try await server.withClient { client in
            let welcome = try await signIn(client, names[0])
            let left = meeting.settlesAt.timeIntervalSince(welcome.serverTime.date) + Double(moment) / 1_000
            return ContinuousClock.now + .seconds(left)
        }
        try await ContinuousClock().sleep(until: death)
        await kill(server)
    }

    private static func expectOneVisitEach(of meeting: Meeting, in data: String, _ comment: Comment) async throws {
        var server = try await start(data, at: meeting.settlesAt + 60)
        try await server.withClients(names.count) { clients in
            for (client, name) in zip(clients, names) {
                _ = try await signIn(client, name)
                // The server finishes the promise without a notification, so this polls it.
                while try await client.getPromise(meeting.promiseID).status != .final {}
                let visits = try await client.listVisits(.init()).visits
                #expect(visits.map(\.promiseID) == (name == names.last ? [] : [meeting.promiseID]), comment)
                #expect(visits.allSatisfy { $0.source == .arrival }, comment)
                if name == names[0], let visit = visits.first { try await client.deleteVisit(visitID: visit.visitID) }
            }
        }
        await kill(server)
        // A deleted visit is not restored, and another's is not repeated.
        server = try await start(data, at: meeting.settlesAt + 3_600)
        try await server.withClients(names.count) { clients in
            for (client, (name, count)) in zip(clients, zip(names, [0, 1, 0])) {
                _ = try await signIn(client, name)
                #expect(try await client.listVisits(.init()).visits.count == count, comment)
            }
        }
        server.run.terminate()
        #expect(await server.run.exitCode() == 0, comment)
        #expect(try await BinaryRun(["verify", "--data", data]).wholeOutput() == ["no violations"], comment)
    }
}

extension WireReport {
    /// One fix at the place of ``VisitBoxTests``.
    fileprivate static func atThePlace(of promiseID: String) -> WireReport {
        .with {
            $0.promiseID = promiseID
            $0.fixes = [
                .with { ($0.seq, $0.latitude, $0.longitude, $0.accuracyMetres) = (1, 37.5, 127, 5) }
            ]
        }
    }
}
