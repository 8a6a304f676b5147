public import PromisedProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Records a way, and preserves every point while the server is unreachable or the app is not running.
///
/// ```swift
/// let recorder = try CourseRecorder(client: client, directory: directory)
/// async let sending: Void = recorder.run()
/// await recorder.start(.ride)
/// // … for each position of the phone:
/// await recorder.record(point)
/// await recorder.finish(title: "To the sea")
/// ```
/// The recorder numbers points from 1, adds both clocks, and stores each on disk until the server has accepted or
/// rejected it. After a restart of the app it continues where it was (see ``unfinished``). Run ``run()`` beside
/// ``PromisedClient/run()``; all other calls return at once and work without a connection.
///
/// The server numbers and dates points by device: the settings of the client must name the device and its boot, the
/// same at each start (``ClientSettings/identify(as:)``).
///
/// A recorder has one recording at a time, until ``RecorderNotice/finished(_:)`` or ``RecorderNotice/discarded``. To
/// record another way while the first waits for a connection, make another recorder with a directory of its own.
///
/// The meaning of a refusal:
///
/// | refusal | then |
/// |---|---|
/// | `limit.rate`, `server.unavailable` and all others with `LATER` | retries after `retryAfterMs`, at least 1 s |
/// | `auth.…` | retries after 30 s |
/// | `request.invalid` for one point | drops the point, which counts as rejected |
/// | of finishing, such as `course.title-taken` or `course.too-short` | the recording is paused: finish it in another
/// way, resume or discard it |
/// | any other, such as `recording.limit` or `recording.closed` | holds the points; retries after ``retry()``,
/// ``resume()``, ``finish(title:memo:folderID:photos:)`` or a restart of the app |
public actor CourseRecorder {
    /// The default limit of pending points; 14 hours of one each second.
    public static let defaultLimit = 50_000
    /// How many notices may wait to be read; beyond that the oldest are dropped.
    public static let noticeLimit = 256

    /// The outcomes of requests, for one reader; ends with ``run()``.
    public nonisolated let notices: AsyncStream<RecorderNotice>
    /// The recording found on disk when the recorder was made, still recording or paused: offer it to the user, who
    /// records more points, finishes or discards it. Nil without one.
    ///
    /// ``run()`` completes a recording that the user has finished or discarded before.
    public nonisolated let unfinished: RecordingStatus?

    private let client: PromisedClient
    private let time: any ClientTime
    private let newKey: @Sendable () -> String
    private var machine: RecordingMachine
    /// The state of the connection, and the end of the client.
    private let instructions = ReportingInstructions()
    private let noticeContinuation: AsyncStream<RecorderNotice>.Continuation
    private var isRunning = false
    /// The connection that ended during a request.
    private var lostConnection: Int?

    /// Creates a recorder in memory: a recording ends with the process.
    ///
    /// - Parameters:
    ///   - client: the connection; the app signs it in.
    ///   - limit: the most pending points; beyond it the oldest are dropped.
    public init(client: PromisedClient, limit: Int = CourseRecorder.defaultLimit) {
        self.init(client: client, store: RecordingStore(limit: limit, time: client.time))
    }

    /// Opens a recorder on disk.
    ///
    /// - Parameters:
    ///   - client: the connection; the app signs it in.
    ///   - directory: created if its parent exists; used by one recorder at a time. Give each account its own.
    ///   - limit: the most pending points; beyond it the oldest are dropped.
    /// - Throws: ``FixStoreError``, but never because of a file's content: a damaged file is moved aside to the path in
    ///   ``RecorderNotice/damaged(path:)``.
    public init(
        client: PromisedClient,
        directory: String,
        limit: Int = CourseRecorder.defaultLimit
    ) throws(FixStoreError) {
        let store = try RecordingStore(directory: directory, limit: limit, time: client.time)
        self.init(client: client, store: store)
    }

    init(client: PromisedClient, store: RecordingStore, newKey: @escaping @Sendable () -> String = randomKey) {
        self.client = client
        self.newKey = newKey
        time = client.time
        machine = RecordingMachine(store)
        unfinished = RecordingStatus(store).flatMap { [.recording, .paused].contains($0.phase) ? $0 : nil }
        (notices, noticeContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.noticeLimit))
        if let path = store.damagedPath { noticeContinuation.yield(.damaged(path: path)) }
    }

    private static let randomKey: @Sendable () -> String = {
        var generator = SystemRandomNumberGenerator()
        return FixStore.name(using: &generator)
    }

    /// The recording as it is now; nil without one.
    public var status: RecordingStatus? { RecordingStatus(machine.store) }

    // MARK: - The recording

    /// Begins a recording.
    ///
    /// - Parameters:
    ///   - activity: the user's activity.
    ///   - title: 1 to 60 characters; nil: the server's choice when it is finished.
    /// - Returns: `false` if there is a recording already.
    @discardableResult
    public func start(_ activity: WireActivity.Value, title: String? = nil) -> Bool {
        let head = RecordingHead(
            boot: time.boot ?? "",
            key: newKey(),
            activity: activity.rawValue,
            title: title,
            startedMs: time.wallMs
        )
        guard let notices = machine.start(head) else { return false }
        tell(notices)
        return true
    }

    /// Records a position as the phone measured it.
    ///
    /// - Parameters:
    ///   - point: it gets its `seq`, its `segment` and missing clocks here.
    ///   - age: how long ago it was measured; not negative.
    /// - Returns: its `seq`; nil while not recording.
    @discardableResult
    public func record(_ point: WireRecordedPoint, age: Duration = .zero) -> UInt32? {
        guard let (seq, notices) = machine.append(point.stamped(by: time, age: age)) else { return nil }
        tell(notices)
        return seq
    }

    /// Records a position with the phone's date; a date in the future counts as now.
    ///
    /// - Returns: its `seq`; nil while not recording.
    @discardableResult
    public func record(_ point: WireRecordedPoint, measuredAt date: Date) -> UInt32? {
        record(point, age: .milliseconds(time.wallMs - date.timeIntervalSince1970 * 1_000))
    }

    /// Ignores points until ``resume()``.
    public func pause() { tell(machine.pause()) }

    /// Records points again; they begin the next segment.
    public func resume() { tell(machine.resume()) }

    /// Repeats a refused request at once.
    public func retry() {
        machine.retry()
        tell([])
    }

    /// Ends the recording and stores it as a course, once the server has all points; a further call changes the choice.
    ///
    /// Retries until the server answers, also after a restart of the app, and makes one course:
    /// ``RecorderNotice/finished(_:)``.
    /// - Parameters:
    ///   - title: 1 to 60 characters; nil: that of the recording, or its date.
    ///   - memo: at most 2,000 characters; line breaks are preserved.
    ///   - folderID: the folder; nil: the last changed one.
    ///   - photos: at most ten, uploaded before.
    public func finish(
        title: String? = nil,
        memo: String? = nil,
        folderID: String? = nil,
        photos: [WirePhotoChoice] = []
    ) {
        let photos = photos.map { RecordingHead.Finish.Photo(fileID: $0.fileID, caption: $0.caption) }
        tell(machine.end(with: .init(title: title, memo: memo, folderID: folderID, photos: photos)))
    }

    /// Deletes the recording here and on the server: ``RecorderNotice/discarded``.
    public func discard() { tell(machine.end(with: nil)) }

    // MARK: - Running

    /// Sends until the client ends or the task is cancelled. Called once; a further call returns at once.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        await client.attach(instructions)
        while !Task.isCancelled, !instructions.state.isOver { await proceed() }
        await client.detach(instructions)
        noticeContinuation.finish()
    }

    /// Does what is due, or waits until something is due or changes.
    private func proceed() async {
        let connection = instructions.state.connection.flatMap { $0 == lostConnection ? nil : $0 }
        let now = time.uptime
        let next = connection.flatMap { _ in machine.next(at: now) }
        if let connection, let next, next.at <= now {
            await send(on: connection)
        } else {
            await instructions.wakeSignal.wait(until: next?.at, on: time)
        }
    }

    private func send(on connection: Int) async {
        do throws(ClientError) {
            try await client.introduce(on: connection)
        } catch {
            if [.disconnected, .cancelled, .closed].contains(error) { lostConnection = connection }
            return tell(machine.notIntroduced(error, at: time.uptime))
        }
        let (now, time) = (time.uptime, time)
        // The app may have changed the state meanwhile.
        guard let next = machine.next(at: now), next.at <= now, let request = machine.request(for: next.step) else {
            return
        }
        tell(machine.sends(next.step, at: now))
        do throws(ClientError) {
            let reply = try await client.call(on: connection) { request.stamped(by: time) }
            tell(machine.answered(request, reply, at: time.uptime))
        } catch {
            if [.disconnected, .cancelled, .closed].contains(error) { lostConnection = connection }
            tell(machine.failed(request, error, at: time.uptime))
        }
    }

    /// Delivers notices; something may be due earlier now.
    private func tell(_ notices: [RecorderNotice]) {
        for notice in notices { noticeContinuation.yield(notice) }
        instructions.wakeSignal.signal()
    }
}

extension WireRequest {
    /// The request with current clock readings, if it carries points.
    fileprivate func stamped(by time: any ClientTime) -> WireRequest {
        guard case .appendRecording(let request) = self else { return self }
        return .appendRecording(request.stamped(by: time))
    }
}
