import Foundation
import Logging
import Metrics
import PromisedApplication
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedStore
import PromisedTestSupport
import PromisedWire
import Testing

@testable import PromisedAccess
@testable import PromisedGateway
@testable import PromisedSettings

/// A gateway over connections in memory, on a clock that a test moves, with the use cases of an application.
struct GatewayWorld: Sendable {
    static let start = Instant(milliseconds: 1_795_240_800_000)

    let clock: ManualClock
    let outlet = MemoryOutlet()
    /// Sessions run here; a frame that arrives here may be answered at once.
    let lane = Lane()
    let gateway: Gateway
    let router: RequestRouter
    let settings: ServerSettings
    private let peers: Peers
    private let application: Application

    private init(_ settings: ServerSettings, _ store: Store, _ clock: ManualClock) async {
        self.settings = settings
        self.clock = clock
        peers = Peers(
            outlet,
            frameLimit: settings.limits.sentFrame,
            clock: clock,
            metrics: NOOPMetricsHandler.instance,
            log: .silent
        )
        var random = RandomSource.system
        var execution = Execution()
        execution.sessions = [lane.executor]
        application = await Application(
            ApplicationPorts(
                store: store,
                storage: DiskFileStorage(path: settings.dataDirectory + "/files"),
                connections: peers.ports,
                clock: clock,
                random: .system,
                key: SigningKey(using: &random),
                execution: execution,
                settings: settings,
                log: .silent
            )
        )
        let process = FixedProcess()
        gateway = Gateway(
            peers,
            application,
            process: process,
            settings: settings,
            clock: clock,
            random: .system,
            metrics: NOOPMetricsHandler.instance,
            log: .silent
        )
        router = RequestRouter(
            application,
            peers,
            process: process,
            settings: settings,
            clock: clock,
            log: .silent
        )
    }

    /// Runs a test in a new world.
    static func with(
        configure: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (GatewayWorld) async throws -> Void
    ) async throws {
        let directory = NSTemporaryDirectory() + "promised-gateway-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        var settings = ServerSettings()
        settings.dataDirectory = directory
        settings.passwords.cost = .cheap
        settings.limits.fixes.spacing = .zero
        configure(&settings)
        let store = try await Store.open(directory: directory)
        let world = await GatewayWorld(settings, store, ManualClock(now: start))
        world.outlet.attach(world.gateway)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await world.application.core.engine.run() }
            group.addTask { await world.gateway.run() }
            group.addTask { await world.application.core.archive.run() }
            defer { group.cancelAll() }
            try await body(world)
        }
        world.outlet.attach(nil)
        _ = await world.application.core.archive.flush()
        try await store.close()
    }

    /// The port for the use cases' news.
    var news: any News { peers.broadcaster }

    // MARK: - Connections

    /// A connection that is signed in as a new user.
    func user(_ name: String, _ codec: WireCodec = .json, room: Int = 64) async throws -> (MemoryConnection, UserID) {
        let connection = outlet.open(codec, room: room)
        var request = WireSignUp()
        (request.email, request.password, request.nickname) = ("\(name)@example.org", "correct horse \(name)", name)
        guard case .session(let session) = try await connection.call(.signUp(request)) else { throw NoReply() }
        return (connection, try UserID(wire: session.user.userID, field: "userId"))
    }

    /// A connection that is signed in as an administrator.
    func administrator(_ codec: WireCodec = .json) async throws -> MemoryConnection {
        let (secret, _) = try await application.administration.tokens.create(
            AdminTokenOrder(name: "tests", validMs: nil),
            by: "tests",
            at: clock.now
        )
        let connection = outlet.open(codec)
        var hello = WireHello()
        hello.token = secret.text
        guard case .welcome = try await connection.call(.hello(hello)) else { throw NoReply() }
        return connection
    }

    /// A connection that watches a promise by a link of its owner.
    func viewer(of promiseID: String, by owner: MemoryConnection) async throws -> MemoryConnection {
        var request = WireCreateViewLink()
        request.promiseID = promiseID
        guard case .viewLink(let link) = try await owner.call(.createViewLink(request)) else { throw NoReply() }
        let connection = outlet.open()
        var watch = WireWatchByLink()
        watch.code = link.code
        guard case .linkView = try await connection.call(.watchByLink(watch)) else { throw NoReply() }
        return connection
    }

    /// Makes a promise of the connection's user, and moves the clock into its window. Returns its id.
    func promise(of owner: MemoryConnection, with guests: [(MemoryConnection, UserID)] = []) async throws -> String {
        var request = WireCreatePromise()
        (request.key, request.title) = (UUID().uuidString, "Dinner")
        request.place = WirePlace(Place(name: "The pier", coordinate: Coordinate(latitude: 37.5, longitude: 127)))
        request.meetsAt = WireTimestamp(clock.now + settings.window.before + .seconds(10))
        for (guest, userID) in guests {
            var friend = WireRequestFriend()
            friend.userID = userID.wireText
            guard case .friendship = try await owner.call(.requestFriend(friend)) else { throw NoReply() }
            var accept = WireAcceptFriend()
            accept.userID = try await ownID(of: owner)
            guard case .friendship = try await guest.call(.acceptFriend(accept)) else { throw NoReply() }
        }
        request.inviteeIds = guests.map { $0.1.wireText }
        guard case .promise(let reply) = try await owner.call(.createPromise(request)) else { throw NoReply() }
        for (guest, _) in guests {
            var respond = WireRespond()
            (respond.promiseID, respond.accept) = (reply.promise.promiseID, true)
            guard case .promise = try await guest.call(.respond(respond)) else { throw NoReply() }
        }
        clock.advance(by: .seconds(11))
        return reply.promise.promiseID
    }

    private func ownID(of connection: MemoryConnection) async throws -> String {
        guard case .me(let me) = try await connection.call(.getMe(WireGetMe())) else { throw NoReply() }
        return me.user.userID
    }
}

extension Logger {
    static let silent = {
        var log = Logger(label: "gateway-tests")
        log.logLevel = .critical
        return log
    }()
}

/// A reply of another kind than expected.
struct NoReply: Error {}

/// A process without data for administrators.
private struct FixedProcess: HostProcess {
    var version: String { "1.2.3" }
    var residentBytes: Int { 4_096 }

    func checks() async -> [WireAdminHealthCheck] {
        var check = WireAdminHealthCheck()
        (check.name, check.state) = ("storage", .ok)
        return [check]
    }
}

extension WireRequest {
    /// A report of one fix at the place of ``GatewayWorld/promise(of:with:)``.
    static func report(_ promiseID: String?, seq: UInt32, metres: Double = 500) -> WireRequest {
        var report = WireReport()
        if let promiseID { report.promiseID = promiseID }
        var fix = WireFix()
        (fix.seq, fix.accuracyMetres) = (seq, 5)
        (fix.latitude, fix.longitude) = (37.5 + metres / 111_195, 127)
        report.fixes = [fix]
        return .report(report)
    }

    static func subscribe(to promiseID: String) -> WireRequest {
        var subscribe = WireSubscribe()
        subscribe.promiseID = promiseID
        return .subscribe(subscribe)
    }
}
