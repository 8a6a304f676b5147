import Logging
import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

/// A client over connections in memory, running.
struct ClientWorld: Sendable {
    let client: PromisedClient
    let links: MemoryLinks

    /// The next notice.
    func notice() async throws -> ClientNotice {
        for await notice in client.notices { return notice }
        throw Mailbox<ClientNotice>.Ended()
    }

    /// Checks the client's next steps in order.
    func expect(_ effects: MemoryLinks.Effect..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for effect in effects {
            let done = try await links.journal.next()
            #expect(done == effect, sourceLocation: sourceLocation)
        }
    }

    /// A first connection that is signed in, without a `hello`.
    func signedIn() async throws -> MemoryLink {
        let link = try await links.accept()
        try await signIn(over: link)
        return link
    }

    /// Signs in over `link` and returns the session, with the tokens `access-<name>` and `refresh-<name>`.
    @discardableResult
    func signIn(over link: MemoryLink, as name: String = "1") async throws -> WireSession {
        let session = WireSession(name)
        async let signedIn = client.signIn(email: "ann@meet.example", password: "correct horse")
        try await link.signIn(session)
        return try await signedIn
    }
}

extension WireSession {
    /// A session with the tokens `access-<name>` and `refresh-<name>`.
    init(_ name: String) {
        self.init()
        accessToken = "access-\(name)"
        refreshToken = "refresh-\(name)"
        user.userID = "ann"
    }
}

extension ClientSettings {
    /// Long call timeouts, and no wait between attempts.
    static var test: ClientSettings {
        var settings = ClientSettings(address: ServerAddress(host: "meet.example", port: 80))
        settings.callTimeout = .seconds(60)
        settings.backoff = Backoff(first: .zero, longest: .zero)
        return settings
    }

    /// Short call timeouts.
    static var impatient: ClientSettings {
        var settings = test
        settings.callTimeout = .milliseconds(100)
        return settings
    }
}

extension WireSyncClock {
    /// A request identified by its clock reading, in milliseconds.
    init(uptime: Double) {
        self.init()
        uptimeMs = uptime
    }
}

extension WireServerFrame.OneOf_Content {
    /// A reply to `syncClock`, identified by its clock reading, in milliseconds.
    static func clock(uptime: Double) -> Self {
        let clock = WireClock.with { $0.uptimeMs = uptime }
        return .clock(clock)
    }
}

/// Logs nothing.
let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

/// A client that does not run yet.
func makeClient(
    _ settings: ClientSettings,
    links: MemoryLinks,
    time: any ClientTime = SystemTime()
) -> PromisedClient {
    PromisedClient(
        settings: settings,
        transport: links,
        generator: NotingGenerator(journal: links.journal),
        time: time,
        log: quiet
    )
}

/// Runs a test against a running client, closes that and waits for its end.
func withClient(
    _ settings: ClientSettings = .test,
    links: MemoryLinks = MemoryLinks(),
    time: any ClientTime = SystemTime(),
    _ body: (ClientWorld) async throws -> Void
) async throws {
    let client = makeClient(settings, links: links, time: time)
    async let running: Void = client.run()
    let outcome: Result<Void, any Error>
    do {
        try await body(ClientWorld(client: client, links: links))
        outcome = .success(())
    } catch {
        outcome = .failure(error)
    }
    await client.close()
    await running
    try outcome.get()
}

/// How a call ends.
func outcome<Reply: Sendable>(
    of call: () async throws(ClientError) -> Reply
) async -> Result<Reply, ClientError> {
    do throws(ClientError) {
        return .success(try await call())
    } catch {
        return .failure(error)
    }
}
