import Foundation
import PromisedClient
import PromisedConcurrency
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTransport
import PromisedWire
import Testing

@testable import PromisedApplication
@testable import PromisedServer
@testable import PromisedSettings

@Suite("Administration of a server", .tags(.realTime), .timeLimit(.minutes(3)))
struct AdminOperationsTests {
    @Test(arguments: WireCodec.allCases)
    func `statistics show data and activity`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    _ = try await people[0].promise(with: [people[1]], at: world.now + .hours(2))
                    let stats = try await admin.admin(.getStats(WireAdminGetStats())).expect(\.stats)
                    #expect(stats.users == 2 && stats.connections == 3 && stats.version == ProductVersion.text)
                    #expect(stats.promises.count == PromiseStatus.allCases.count)
                    #expect(stats.promises.first { $0.status == .scheduled }?.count == 1)
                    #expect(stats.promises.filter { $0.status != .scheduled }.allSatisfy { $0.count == 0 })
                    #expect(stats.requestsPerSecond > 0 && stats.reportsPerSecond == 0)
                    #expect(stats.commitMedianMs > 0 && stats.commitP99Ms >= stats.commitMedianMs)
                    #expect(stats.uptimeMs > 0 && stats.databaseBytes > 0 && stats.memoryBytes > 1_000_000)
                }
            }
        }
    }

    @Test func `a healthy server passes or skips each check`() async throws {
        let real: @Sendable (inout ServerSettings) -> Void = { $0.clock.start = nil }
        try await ServerWorld.with(configure: real) { world in
            try await world.administered { admin, _ async throws in
                let checks = try await admin.health()
                #expect(
                    checks.map(\.name) == [
                        "storage", "integrity", "migrations", "disk", "clock", "certificate", "version", "files",
                        "memory", "kept-files", "readable-files", "recordings", "exports",
                    ]
                )
                for name in ["storage", "integrity", "migrations", "clock", "version", "recordings", "exports"] {
                    let check = try #require(checks.first { $0.name == name })
                    #expect(check.state == .ok && check.advice.isEmpty && !check.detail.isEmpty, "\(check)")
                }
                #expect(checks.first { $0.name == "certificate" }?.state == .skipped)
            }
        }
    }

    @Test func `warns of a scaled clock`() async throws {
        try await ServerWorld.with(rate: 2) { world in
            try await world.administered { admin, _ async throws in
                let clock = try #require(try await admin.health().first { $0.name == "clock" })
                #expect(clock.state == .warning && !clock.advice.isEmpty)
            }
        }
    }

    @Test func `a backup of a running server starts another with all data, under other epochs`() async throws {
        let folder = NSTemporaryDirectory() + "promised-backup-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let known = Guarded((id: "", epoch: ""))
        let below: @Sendable (inout ServerSettings) -> Void = { $0.backup.directory = folder }
        try await ServerWorld.with(configure: below) { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    let id = try await people[0].promise(with: [people[1]], at: world.now + .hours(2)).promiseID
                    let epoch = try await people[0].client.subscribe(promiseID: id).epoch
                    known.withLock { $0 = (id, epoch) }
                    let backup = try await admin.admin(.backUp(.at(folder + "/b"))).expect(\.backup)
                    #expect(backup.path.hasSuffix("/b") && backup.bytes > 0 && backup.tookMs > 0 && backup.hasStartedAt)
                    #expect(try await admin.audit()[0].action == "backUp")
                    let second = try await admin.adminRefusal(.backUp(.at(folder + "/b")))
                    #expect(second == AdminRefusal(.requestInvalid, "path"))
                }
            }
        }
        let maintenance = Maintenance(directory: folder + "/data")
        #expect(try await maintenance.restore(from: folder + "/b") > 0)
        #expect(try await maintenance.verify() == [])
        let secret = try await maintenance.createToken(for: "tests", valid: nil).secret
        let (id, epoch) = known.withLock { $0 }
        try await ServerWorld.with(directory: folder + "/data") { world in
            try await world.devices { connect async throws in
                let admin = try await connect()
                try await admin.helloAsAdministrator(secret)
                #expect(try await admin.users(.listUsers(WireAdminListUsers())).map(\.user.nickname) == ["Ada", "Bea"])
                let watching = try await admin.admin(.watchPromise(.of(id))).expect(\.watching)
                #expect(watching.epoch != epoch && !watching.epoch.isEmpty)
                // An earlier token is valid: its hash is in the backup. The file was not created again.
                #expect(!FileManager.default.fileExists(atPath: world.directory + "/admin.token"))
            }
        }
    }

    @Test func `rejects a path outside`() async throws {
        let folder = NSTemporaryDirectory() + "promised-backup-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/in/side", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder + "/in/out", withDestinationPath: folder)
        try FileManager.default.createSymbolicLink(atPath: folder + "/in/dangling", withDestinationPath: "/nowhere")
        let below: @Sendable (inout ServerSettings) -> Void = {
            $0.backup.directory = folder + "/in"
        }
        try await ServerWorld.with(configure: below) { world in
            try await world.administered { admin, _ async throws in
                for path in [
                    "", "/", "relative", "b", folder + "/b", folder + "/in/../b", folder + "/in/out/b", folder + "/in",
                    folder + "/in/", folder + "/in//b", folder + "/in/./b", folder + "/in/none/b", folder + "/in/side",
                    folder + "/in/dangling", folder + "/in/a\u{7}", folder + "/inside/b",
                ] {
                    #expect(
                        try await admin.adminRefusal(.backUp(.at(path))) == AdminRefusal(.requestInvalid, "path"),
                        "\(path)"
                    )
                }
                #expect(try await admin.adminRefusal(.backUp(.at(folder + "/in/side/b"))) == nil)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/in/side") == ["b"])
            }
        }
    }

    @Test func `an intact database has no violations`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                let verification = try await admin.admin(.verify(WireAdminVerify())).expect(\.verification)
                #expect(verification.breaches == [] && verification.tookMs > 0)
            }
        }
    }

    @Test func `a page of the audit starts where the previous ended`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                for name in ["a", "b", "c"] { _ = try await admin.newToken(named: name) }
                var list = WireAdminListAudit()
                list.limit = 2
                let first = try await admin.admin(.listAudit(list)).expect(\.audit)
                #expect(first.entries.map(\.detail) == ["c", "b"])
                list.cursor = first.cursor
                let second = try await admin.admin(.listAudit(list)).expect(\.audit)
                #expect(second.entries.map(\.detail) == ["a", ""] && second.cursor.isEmpty)
                list.cursor = "x"
                #expect(try await admin.adminRefusal(.listAudit(list)) == AdminRefusal(.requestInvalid, "cursor"))
                list.cursor = ""
                // The audit is dated by the real clock, which the test does not set.
                list.since = .init(RealTime.now + .days(1))
                let none = try await admin.admin(.listAudit(list)).expect(\.audit)
                #expect(none.entries == [])
            }
        }
    }

    @Test(.proves("admin")) func `rejects all forms from users`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                let forms: [WireAdminRequest.OneOf_Request] = [
                    .listUsers(WireAdminListUsers()), .deleteUser(.of(people[0].id)), .getStats(WireAdminGetStats()),
                    .backUp(.at("/tmp/x")), .createToken(WireAdminCreateToken()), .checkHealth(WireAdminCheckHealth()),
                ]
                for form in forms { #expect(await people[0].refusal(.admin(.form(form))) == .authForbidden) }
            }
        }
    }
}

extension Device {
    /// The server's checks of its health.
    func health() async throws -> [WireAdminHealthCheck] {
        guard case .health(let health) = try await admin(.checkHealth(WireAdminCheckHealth())) else { throw NoReply() }
        return health.checks
    }
}

extension WireAdminBackUp {
    static func at(_ path: String) -> Self {
        var form = Self()
        form.path = path
        return form
    }
}
