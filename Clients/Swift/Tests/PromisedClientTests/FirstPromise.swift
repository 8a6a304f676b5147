import Foundation
import Logging
import PromisedClient
import PromisedProtocol

/// The code of the article "Your first promise", word for word; a test compares the two.
struct FirstPromise: Sendable {
    /// The steps of the article's app, for the test.
    let effects = Mailbox<String>()

    func show(_ notice: ClientNotice) { effects.put("\(notice)") }
    func setReceiver(on isOn: Bool) { effects.put("receiver \(isOn)") }
    func showProblem(_ message: String) { effects.put(message) }

    func openFixes(in directory: String) -> FixStore {
        do {
            return try FixStore(directory: directory)
        } catch {
            // Then positions stay in memory, which is enough for a tunnel.
            return FixStore()
        }
    }

    func makeClient(
        of address: ServerAddress,
        over transport: any ClientTransport,
        fixes: FixStore
    ) -> PromisedClient {
        var settings = ClientSettings(address: address, codec: .protobuf, name: "meet-app", version: "1.0")
        settings.identify(as: fixes)
        return PromisedClient(settings: settings, transport: transport, log: Logger(label: "meet-app"))
    }

    func runApp(
        client: PromisedClient,
        reporter: PositionReporter,
        storeSession: @Sendable (WireSession) -> Void
    ) async {
        await withTaskGroup { group in
            group.addTask { await client.run() }
            group.addTask { await reporter.run() }
            group.addTask { for await notice in client.notices { show(notice) } }
            group.addTask { for await notice in reporter.notices { steerReceiver(notice) } }
            // Only the latest session is useful: a refresh token is valid once.
            for await session in client.sessions { storeSession(session) }
        }
    }

    func steerReceiver(_ notice: ReporterNotice) {
        switch notice {
        case .wanted(let areWanted): setReceiver(on: areWanted)
        case .refused(let error, givenUp: _): showProblem(error.message)
        case .reported, .overflowed, .storageFailed: break
        }
    }

    func signIn(_ client: PromisedClient, email: String, password: String) async throws(ClientError) -> String {
        do throws(ClientError) {
            return try await client.signIn(email: email, password: password).user.nickname
        } catch .refused(let reply) where reply.knownCode == .authInvalidCredentials {
            let nickname = String(email.prefix { $0 != "@" })
            return try await client.signUp(email: email, password: password, nickname: nickname).user.nickname
        }
    }

    func promiseCoffee(
        _ client: PromisedClient,
        at meetsAt: Date,
        with friends: [String],
        key: String
    ) async throws(ClientError) -> String {
        var request = WireCreatePromise()
        request.key = key
        request.title = "Coffee"
        request.place.name = "Café at the market"
        request.place.latitude = 52.5219
        request.place.longitude = 13.4132
        request.meetsAt = WireTimestamp(meetsAt)
        request.inviteeIds = friends
        return try await client.createPromise(request).promise.promiseID
    }

    func follow(_ promiseID: String, with client: PromisedClient) async throws(ClientError) -> [String] {
        var lines: [String] = []
        for try await notice in await client.follow(promiseID) {
            switch notice {
            case .snapshot(let promise, _): lines.append("\(promise.title): \(promise.participants.count) people")
            case .event(let event, _):
                switch event.what {
                case .joined(let joined): lines.append("\(joined.user.nickname) is coming")
                case .arrived(let arrived): lines.append("number \(arrived.arrival.rank) is there")
                case .resultFinal: return lines
                default: continue
                }
            }
        }
        return lines
    }

    func moved(
        toLatitude latitude: Double,
        longitude: Double,
        accuracyMetres: Double,
        reporter: PositionReporter
    ) async {
        var fix = WireFix()
        fix.latitude = latitude
        fix.longitude = longitude
        fix.accuracyMetres = accuracyMetres
        await reporter.record(fix)
    }
}
