import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// No possible number in a frame crashes the server: in a field, a cursor or another text.
///
/// The fields are those of the schema, so a new one is covered automatically.
@Suite("Extreme numbers", .tags(.realTime), .timeLimit(.minutes(10)))
struct ExtremeNumberTests {
    @Test func `the recordings cover every request and form with fields of all kinds`() throws {
        let frames = try ExtremeFrames.all(replacing: [:])
        let requests = Set(frames.filter { !$0.isForm }.map(\.name))
        #expect(requests == Set(RequestKind.allCases.map(\.rawValue)).subtracting(["admin", "unknown"]))
        #expect(try requests.count + 1 == ExtremeFields.requestCount(of: WireClientFrame()))
        #expect(try frames.filter(\.isForm).count == ExtremeFields.requestCount(of: WireAdminRequest()))
        let report = try #require(frames.first { $0.name == "report" })
        let fields = try report.fields()
        // The id, two numbers of each of three instants, seven numbers of a fix and one of the report.
        #expect(fields.filter { $0.kind == .text }.count == 1)
        #expect(fields.filter { $0.kind == .whole }.count == 5)
        #expect(fields.filter { $0.kind == .real }.count == 8)
    }

    @Test(.proves("10.3"), .defends("extreme-numbers"), arguments: WireCodec.allCases)
    func `strangers cannot crash the server`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec, configure: Self.patient) { world in
            try await world.with("Ada", "Bea") { ada, _ async throws in
                try await attackAsStranger(world)
                #expect(try await ada.me().user.userID == ada.id)
                try await expectAlive(world)
            }
        }
    }

    @Test(.defends("extreme-numbers"), arguments: WireCodec.allCases)
    func `users and administrators cannot crash the server while a promise is tracking`(codec: WireCodec) async throws {
        try await ServerWorld.withShortLead(codec: codec, configure: Self.patient) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let promise = try await ada.openPromise(with: [bea], in: world)
                let ids = try await ada.keepThings(with: bea, promise, in: world)
                try await attack(world, as: ada, ids)
                try await expectAlive(world)
            }
        }
    }

    @Test(arguments: WireCodec.allCases)
    func `users and administrators cannot crash the server after a result`(codec: WireCodec) async throws {
        let short: @Sendable (inout ServerSettings) -> Void = {
            Self.patient(&$0)
            ($0.window.after, $0.window.settle) = (.minutes(2), .seconds(1))
        }
        try await ServerWorld.withShortLead(codec: codec, configure: short) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let promise = try await ada.openPromise(with: [bea], in: world)
                let ids = try await ada.keepThings(with: bea, promise, in: world)
                await ada.hears { $0.isResultFinal }
                try await attack(world, as: ada, ids)
                try await expectAlive(world)
            }
        }
    }

    /// A new user signs up, because an administrator's form may have ended the sessions of the others.
    private func expectAlive(_ world: ServerWorld) async throws {
        try await world.devices { connect async throws in
            #expect(try await connect().signUp("Zoe").user.nickname == "Zoe")
        }
    }

    /// Sends all frames that need no sign-in.
    private func attackAsStranger(_ world: ServerWorld) async throws {
        try await world.devices { connect async throws in
            let sender = ExtremeSender { try await connect() }
            for frame in try ExtremeFrames.all(replacing: [:]) where frame.isOfStrangers {
                try await sender.send(frame, codec: world.codec, alone: true)
            }
            #expect(sender.refusals > 100)
        }
    }

    /// Sends all frames of users and administrators.
    private func attack(_ world: ServerWorld, as person: Person, _ ids: [String: String]) async throws {
        try await world.devices { connect async throws in
            let user = ExtremeSender {
                let device = try await connect()
                try await person.signIn(on: device)
                return device
            }
            let administrator = ExtremeSender {
                let device = try await connect()
                try await device.helloAsAdministrator(world.adminSecret())
                return device
            }
            var ids = ids
            try await administrator.with { device async throws in
                await world.service.refreshPlaces()
                guard case .place(let place) = try await device.admin(.createPlace(.with { $0.row = .cafe("Probed") }))
                else { throw Device.NoReply() }
                let order = WireAdminBeginImport.with {
                    ($0.source, $0.timeZone, $0.dryRun) = (.sample("probes"), "Asia/Seoul", true)
                }
                (ids["c1"], ids["a2"]) = (place.placeID, try await device.placeImport(.beginImport(order)).importID)
                await world.service.refreshPlaces()
            }
            for frame in try ExtremeFrames.all(replacing: ids) where !frame.isOfStrangers {
                try await (frame.isForm ? administrator : user).send(frame, codec: world.codec)
            }
            #expect(user.refusals > 1_000 && administrator.refusals > 1_000)
        }
    }

    /// Limits of rates would hide the limits of numbers.
    private static func patient(_ settings: inout ServerSettings) {
        (settings.limits.requestRate, settings.limits.requestBurst) = (100_000, 1_000_000)
        (settings.limits.refusedRequests, settings.limits.requestsBeforeSignIn) = (1_000_000, 1_000_000)
        (settings.limits.connectionsPerUser, settings.limits.connectionsBeforeSignIn) = (1_000, 1_000)
        settings.limits.fixes.burst = 1_000_000
        settings.throttle.signInsPerAccountAndAddress = 1_000_000
        settings.throttle.signInsPerAccount = 1_000_000
        settings.throttle.signInsPerAddress = 1_000_000
        (settings.throttle.wrongCodes, settings.throttle.find) = (1_000_000, 1_000_000)
        (settings.throttle.refreshes, settings.throttle.explanations) = (1_000_000, 1_000_000)
        (settings.throttle.handshakes, settings.throttle.promises) = (100_000, 1_000_000)
    }
}

/// Sends frames on a connection, and on a new one if the server has closed it.
final class ExtremeSender {
    /// Frames that wait for their replies at a time.
    private static let window = 32

    private(set) var refusals = 0
    private let connect: () async throws -> Device
    private var device: Device?

    init(connect: @escaping () async throws -> Device) { self.connect = connect }

    /// Runs `body` with the connection.
    func with<Value>(_ body: (Device) async throws -> Value) async throws -> Value {
        let open = if let device { device } else { try await connect() }
        device = open
        return try await body(open)
    }

    /// Sends the frames of a request, each with one extreme value.
    ///
    /// - Parameter alone: `true` for a new connection after each accepted one.
    func send(_ frame: ExtremeFrames, codec: WireCodec, alone: Bool = false) async throws {
        var version: Int32 = 1
        var rest = try frame.cases(codec: codec)[...]
        while !rest.isEmpty {
            let some = rest.prefix(alone || frame.hasVersion ? 1 : Self.window)
            rest = rest.dropFirst(some.count)
            let answers = try await exchange(some.compactMap { frame.bytes(of: $0, codec: codec, version: version) })
            let errors = answers.compactMap { if case .error(let error) = $0 { error.code } else { nil } }
            refusals += errors.count
            if alone, errors.isEmpty { device = nil }
            // The next frame names the version created by this one or by another request.
            if errors.isEmpty || errors[0].hasSuffix(".stale-version") { version += 1 }
        }
    }

    /// The replies to some frames; fewer if the connection ended.
    private func exchange(_ frames: [[UInt8]]) async throws -> [WireContent] {
        try await with { device async throws in
            var answers: [WireContent] = []
            for frame in frames { device.send(frame) }
            do {
                for _ in frames {
                    if let content = try device.frame(try await device.nextReply()).content { answers.append(content) }
                }
            } catch is Device.NoReply {
                self.device = nil
            }
            return answers
        }
    }
}

extension Person {
    /// Stores one object of each kind that a request can name, and reports an arrival.
    ///
    /// - Returns: their ids by the last digits of the recorded ids.
    fileprivate func keepThings(
        with friend: Person,
        _ promiseID: String,
        in world: ServerWorld
    ) async throws -> [String: String] {
        for seq in 1...5 { _ = try await report(promiseID, seq: UInt32(seq), metres: 0) }
        _ = try await client.checkIn(promiseID: promiseID)
        let recording = try await client.startRecording(key: "recording", activity: .walk).recordingID
        _ = try await append(WireRecordedPoint.way(of: 9, until: world.now), to: recording, at: world.now)
        let course = try await course()
        let folder = try await client.createFolder(key: "folder", title: "Ways")
        let visit = try await client.createVisit(.sample(at: world.now, title: "Breakfast"))
        let photo = try await upload(.picture)
        guard
            case .upload(let upload) = try await client.call(.beginUpload(UploadSample.way(points: 50).announcement()))
        else { throw Device.NoReply() }
        return [
            "a1": promiseID, "b1": id, "b2": friend.id, "e1": visit.visitID, "e2": photo.fileID, "e3": upload.uploadID,
            "f1": course.courseID, "f2": folder.folderID, "f3": recording,
        ]
    }
}
