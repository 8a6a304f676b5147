internal import Foundation
internal import Logging
@_spi(VirtualTime) internal import PromisedClient
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedProtocol
internal import PromisedSimulation

/// The client library itself, on another device of a person, in virtual time: follows the person's promises, reports
/// positions, uploads files and records a way.
final class FollowingApp: Sendable {
    /// A notice of a feed.
    struct Heard: Sendable {
        let promise: String
        let notice: FeedNotice
    }

    let userID: UserID
    /// The encoding of its messages.
    let codec: WireCodec
    let wire = AppWire()
    let deviceID: String
    private let clock: VirtualClock
    private let client: PromisedClient
    private let reporter: PositionReporter
    private let recorder: CourseRecorder
    private let noted = Guarded(AppNotes())
    private let heard = Guarded<[Heard]>([])
    private let following = Guarded<Set<PromiseID>>([])

    /// Creates an app that is signed in and not connected.
    init(_ userID: UserID, clock: VirtualClock, seed: UInt64) {
        (self.userID, self.clock) = (userID, clock)
        codec = seed % 4 == 0 ? .json : .protobuf
        let clocks = DeviceClocks { [clock] in
            let now = clock.now
            return (.milliseconds((now - Story.beginning).milliseconds), Double(now.milliseconds))
        } wait: { [clock] uptime in
            let milliseconds = Int64((uptime / .milliseconds(1)).rounded(.up))
            try await clock.sleep(until: Story.beginning + .milliseconds(milliseconds))
        }
        var generator = SeededGenerator(seed: seed ^ 0x6669_78)
        let fixes = FixStore(clocks: clocks, generator: SeededGenerator(seed: generator.next()))
        var settings = ClientSettings(
            address: ServerAddress(host: "world", port: 1, path: "/ws", usesTLS: false),
            codec: codec
        )
        settings.identify(as: fixes)
        client = PromisedClient(
            settings: settings,
            transport: wire,
            clocks: clocks,
            generator: SeededGenerator(seed: seed ^ 0x0061_7070),
            log: Logger(label: "app") { _ in SwiftLogNoOpLogHandler() }
        )
        deviceID = fixes.deviceID
        reporter = PositionReporter(client: client, fixes: fixes)
        recorder = CourseRecorder(client: client, key: "app")
    }

    /// Keeps the app connected until ``close()``.
    func run() async {
        var session = WireSession()
        session.accessToken = Passports.token(of: userID)
        session.user.userID = userID.description
        await client.restore(session)
        await withDiscardingTaskGroup { [client, reporter, recorder, noted] group in
            group.addTask { await client.run() }
            group.addTask { await reporter.run() }
            group.addTask { await recorder.run() }
            group.addTask { for await notice in reporter.notices { noted.withLock { $0.hear(notice) } } }
            group.addTask { for await notice in recorder.notices { noted.withLock { $0.hear(notice) } } }
        }
    }

    /// Ends the app, and all its pending work.
    func close() async {
        await client.close()
        clock.die()
    }

    /// Follows a promise until the server refuses it; ignored if the app already follows it.
    func follow(_ id: PromiseID) async {
        guard following.withLock({ $0.insert(id).inserted }) else { return }
        do throws(ClientError) {
            for try await notice in await client.follow(id.description) {
                heard.withLock { $0.append(Heard(promise: id.description, notice: notice)) }
            }
        } catch {
            // The user has no part in it any more, or it is over.
        }
        following.withLock { _ = $0.remove(id) }
    }

    /// `true` while a feed of the promise is read.
    func isFollowing(_ id: PromiseID) -> Bool { following.withLock { $0.contains(id) } }

    /// The notices of the feeds since the last call, in order.
    func takeHeard() -> [Heard] {
        heard.withLock { heard in
            guard !heard.isEmpty else { return [] }
            defer { heard = [] }
            return heard
        }
    }

    // MARK: - Positions, files and ways

    /// The outcomes of all its work.
    var notes: AppNotes { noted.withLock { $0 } }

    /// Reports a position of its phone.
    func report(_ fix: WireFix) async {
        if let seq = await reporter.record(fix) { noted.withLock { $0.take(fix: seq) } }
    }

    func upload(_ upload: SimulatedUpload) async {
        let outcome: Result<String, ClientError>
        do throws(ClientError) {
            let kind: WireFileKind.Value = upload.announcement.kind == .photo ? .photo : .track
            let key = upload.announcement.key
            let file = try await Uploader(client: client).upload(Data(upload.bytes), as: kind, key: key)
            outcome = .success(file.fileID)
        } catch {
            outcome = .failure(error)
        }
        noted.withLock { $0.end(upload: upload.number, outcome) }
    }

    func beginRecording() async { await recorder.start(.walk) }

    /// Records points of its phone, each measured this long ago.
    func record(_ points: [(WireRecordedPoint, age: Duration)]) async {
        for (point, age) in points {
            if let seq = await recorder.record(point, age: age) { noted.withLock { $0.take(point: seq) } }
        }
    }

    /// Ends its recording, which becomes a course.
    func finishRecording() async { await recorder.finish() }
}
