import Foundation
import Logging
import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedWebSocketTransport
import PromisedWire

/// Why a meetup failed; a sentence for people.
struct MeetupError: Error, Hashable, CustomStringConvertible {
    let description: String
}

/// Plays a whole meetup through a server, over one real connection per participant.
struct MeetupRunner: Sendable {
    let plan: MeetupPlan
    let address: ServerAddress
    let codec: WireCodec
    let clock: MeetupClock
    /// How long a phone tries to reconnect, and how long a temporarily refused request of the set-up is repeated; in
    /// real time.
    let patience: Duration
    let log: Logger
    /// Shows the promise's events as its owner receives them, and other messages.
    let screen: Screen
    /// Called once all phones are ready, with the owner's user id; the phones wait until it returns.
    var onReady: @Sendable (_ ownerID: String) async -> Void = { _ in }
    /// Called once the result is final, before the phones are switched off.
    var onResult: @Sendable (_ promiseID: String, _ phones: [Phone]) async throws -> Void = { _, _ in }

    /// Runs from sign-up to the final result. Throws ``MeetupError`` and `ClientError`.
    func run() async throws -> WireResult {
        let phones = plan.people.enumerated().map { index, person in phone(person, isOwner: index == 0) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for phone in phones {
                group.addTask { await phone.client.run() }
                group.addTask { await phone.listen() }
            }
            let result = try await meet(phones)
            for phone in phones { await phone.client.close() }
            group.cancelAll()
            return result
        }
    }

    private var setUp: ServerPatience { ServerPatience(longest: patience) }

    private func phone(_ person: MeetupPlan.Person, isOwner: Bool) -> Phone {
        var settings = ClientSettings(
            address: address,
            codec: codec,
            name: "promised-replay",
            deviceID: UUID().uuidString,
            bootID: "1"
        )
        settings.backoff = Backoff(first: .milliseconds(50), longest: .seconds(1))
        return Phone(
            person: person,
            client: PromisedClient(settings: settings, transport: WebSocketTransport(log: log), log: log),
            clock: clock,
            onEvent: { [screen] event in if isOwner { screen.show(event) } },
            onNotice: { [screen] in screen.say($0) }
        )
    }

    private func meet(_ phones: [Phone]) async throws -> WireResult {
        let password = UUID().uuidString
        let tag = UUID().uuidString.lowercased().filter(\.isHexDigit)
        try await forEach(phones.enumerated().map { ($0.offset, $0.element) }) { index, phone in
            let address = "\(tag.prefix(10))\(index)x\(tag.suffix(6))"
            try await phone.signUp(password: password, tag: address, patience: setUp)
            screen.name(await phone.userID, phone.person.nickname)
        }
        let promiseID = try await promise(of: phones)
        try await forEach(phones.map { (0, $0) }) { _, phone in
            try await setUp.repeating { try await phone.subscribe(to: promiseID) }
        }
        await onReady(await phones[0].userID)
        screen.say("\(phones.count) participants are ready, the window opens at \(ClockText.time(plan.opensAt))")
        try await forEach(phones.map { (0, $0) }) { _, phone in try await phone.report(patience: patience) }
        let table = try await result(of: promiseID, asked: phones[0])
        try await onResult(promiseID, phones)
        return table
    }

    /// Makes the others friends of the first user, who invites them to a promise, which they accept.
    private func promise(of phones: [Phone]) async throws -> String {
        let owner = phones[0]
        let ownerID = await owner.userID
        var request = WireCreatePromise()
        // One after the other: sending all at once, and again after the wait, would be a flood, for which the server
        // closes the connection.
        for phone in phones.dropFirst() {
            let userID = await phone.userID
            _ = try await setUp.repeating { try await owner.client.requestFriend(userID: userID) }
            request.inviteeIds.append(userID)
        }
        try await forEach(phones.dropFirst().map { (0, $0) }) { _, phone in
            _ = try await setUp.repeating { try await phone.client.acceptFriend(userID: ownerID) }
        }
        request.key = UUID().uuidString
        request.title = plan.title
        request.place = WirePlace(plan.place)
        request.meetsAt = WireTimestamp(plan.meetsAt)
        request.radiusMetres = Int32(plan.radiusMetres)
        request.rule = WireRule(ArrivalRule(name: plan.rule))
        if let penalty = plan.penalty { request.penalty = WirePenalty(penalty) }
        let promise = try await setUp.repeating { [request] in try await owner.client.createPromise(request).promise }
        let promiseID = promise.promiseID
        try await forEach(phones.dropFirst().map { (0, $0) }) { _, phone in
            _ = try await setUp.repeating { try await phone.client.respond(promiseID: promiseID, accept: true) }
        }
        return promiseID
    }

    /// Waits for the end of settling and requests the table until it is available.
    private func result(of promiseID: String, asked owner: Phone) async throws -> WireResult {
        try await clock.sleep(until: plan.settlesAt)
        let end = ContinuousClock.now + patience
        while true {
            do throws(ClientError) {
                return try await owner.client.getResult(promiseID: promiseID)
            } catch {
                let mayComeYet =
                    error.code == .resultNotFinal || error == .disconnected || error == .timedOut
                    || error.code == .serverUnavailable
                guard mayComeYet, ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(20), clock: .continuous)
            }
        }
    }

    private func forEach(
        _ phones: [(Int, Phone)],
        _ body: @escaping @Sendable (Int, Phone) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, phone) in phones { group.addTask { try await body(index, phone) } }
            try await group.waitForAll()
        }
    }
}

/// The server's clock for the meetup's phones.
enum MeetupClock: Sendable {
    /// The clock of a server in this process.
    case embedded(any WallClock)
    /// The clock of a remote server, measured over a connection.
    case remote(ServerClockEstimate)

    var now: Instant {
        switch self {
        case .embedded(let clock): clock.now
        case .remote(let estimate): Instant(estimate.now)
        }
    }

    /// Waits until `instant`. Throws `CancellationError`.
    func sleep(until instant: Instant) async throws {
        switch self {
        case .embedded(let clock): try await clock.sleep(until: instant)
        case .remote(let estimate): try await estimate.sleep(until: Date(instant))
        }
    }
}

extension Instant {
    /// The instant of a date, rounded to the nearest millisecond; clamped to the years 1 to 9999.
    init(_ date: Date) { self.init(milliseconds: WireTimestamp(date).clampedMilliseconds) }
}

extension Date {
    fileprivate init(_ instant: Instant) { self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1_000) }
}
