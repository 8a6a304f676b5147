import PromisedDomain
import PromisedProtocol
import PromisedTestSupport

/// A conversation of several users with a server, frame by frame.
///
/// Within a step the frames of each user are together: the reply, then the durable events, then the others by name.
struct Transcript {
    /// The listeners and the events that each still receives, besides those before the reply.
    typealias Heard = [(TranscribedClient, [String])]

    private let people: [TranscribedClient]
    private let clock: ManualClock
    private let meetsAt: Instant
    private var placeholders: Placeholders
    /// The signed-in users: the transcript sends requests outside the conversation only for them.
    private var signedIn: Set<String> = []
    private var gone: Set<String> = []
    private(set) var lines: [String] = []
    /// A request that makes the promise's session process its clock, without a change.
    var stir: (TranscribedClient, WireRequest)?

    init(of people: [TranscribedClient], clock: ManualClock, meetsAt: Instant) {
        self.people = people
        self.clock = clock
        self.meetsAt = meetsAt
        placeholders = Placeholders(meetsAt: meetsAt)
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func chapter(_ title: String) { lines += lines.isEmpty ? ["# \(title)"] : ["", "# \(title)"] }

    /// Sends a request of one user and records the reply and the events that others receive.
    ///
    /// - Returns: the reply; `done` if the connection ended instead.
    @discardableResult
    mutating func ask(
        _ person: TranscribedClient,
        _ request: WireRequest,
        hearing heard: Heard = []
    ) async throws -> WireContent {
        let frame = person.frame(request)
        write(person, "→", String(decoding: try frame.writtenOut, as: UTF8.self))
        let reply = try await person.ask(frame)
        if case .session = reply { signedIn.insert(person.name) }
        if case .invite(let invite) = reply { placeholders.keep(invite.code, as: "invite-code") }
        if case .checkInCode(let code) = reply { placeholders.keep(code.code, as: "check-in-code") }
        try await writeDown(heard)
        return reply ?? .done(WireDone())
    }

    /// Moves the clock to a span after the meeting time and records the events that users receive.
    mutating func wait(until span: TimeSpan, hearing heard: Heard = []) async throws {
        clock.advance(to: meetsAt + span)
        lines.append("  … until T\(span.milliseconds < 0 ? "" : "+")\(span.milliseconds / 1_000)s")
        if let (person, request) = stir { try await person.askAside(request) }
        try await writeDown(heard)
    }

    // MARK: - Writing

    private mutating func writeDown(_ heard: Heard) async throws {
        for (person, names) in heard { await person.hear(names) }
        for person in people where signedIn.contains(person.name) && person.closeCode == nil {
            try await person.askAside(.getMe(WireGetMe()))
        }
        for person in people { try take(from: person) }
    }

    private mutating func take(from person: TranscribedClient) throws {
        for frame in person.take() {
            write(person, "←", String(decoding: try WireCodec.json.encode(settled(frame)), as: UTF8.self))
        }
        if let code = person.closeCode, gone.insert(person.name).inserted {
            lines.append("\(person.name) ← closed \(code)")
        }
    }

    /// A frame without its dependence on the order of two threads: an arrival that was durable before the positions
    /// were sent is included in them, otherwise it is only in its own event.
    private func settled(_ frame: WireServerFrame) -> WireServerFrame {
        guard case .event(var event) = frame.content, case .positions(var moved) = event.what else { return frame }
        for index in moved.positions.indices where moved.positions[index].eta.state == .arrived {
            moved.positions[index].clearEta()
        }
        event.what = .positions(moved)
        return WireServerFrame(event: event)
    }

    private mutating func write(_ person: TranscribedClient, _ arrow: String, _ json: String) {
        lines.append("\(person.name) \(arrow) \(placeholders.replace(in: json))")
    }
}
