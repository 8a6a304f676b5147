internal import PromisedApplication
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedProtocol
internal import PromisedWire

/// The requests about recordings (docs/courses.md).
struct RecordingRequests: Sendable {
    let recordings: Recordings

    func start(_ request: WireStartRecording, from caller: Caller) async throws -> Answer<WireContent> {
        let recording = try await recordings.start(
            try Activity(request.activity, field: "activity"),
            title: request.hasTitle ? request.title : nil,
            key: request.key,
            contentHash: try request.contentHash(),
            by: caller.userID
        )
        return .reply(.recording(WireRecording(recording)))
    }

    func append(_ request: WireAppendRecording, from caller: Caller) async throws -> Answer<WireContent> {
        let receipt = try await recordings.append(
            try RecordedBatch(request, device: caller.device, syncs: caller.syncs),
            to: try RecordingID(wire: request.recordingID, field: "recordingId"),
            at: caller.now,
            by: caller.userID
        )
        return .reply(.recorded(WireRecorded(receipt)))
    }

    func finish(_ request: WireFinishRecording, from caller: Caller) async throws -> Answer<WireContent> {
        var content = CourseContent()
        if request.hasFolderID { content.folderID = try FolderID(wire: request.folderID, field: "folderId") }
        if request.hasTitle { content.title = request.title }
        if request.hasMemo { content.memo = request.memo }
        content.photos = try Photo.list(wire: request.photos)
        let id = try RecordingID(wire: request.recordingID, field: "recordingId")
        return .reply(.course(WireCourse(try await recordings.finish(id, content, by: caller.userID))))
    }

    func discard(_ request: WireDiscardRecording, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try RecordingID(wire: request.recordingID, field: "recordingId")
        try await recordings.discard(id, by: caller.userID)
        return .done
    }

    func list(_ caller: Caller) async throws -> Answer<WireContent> {
        var reply = WireRecordings()
        reply.recordings = try await recordings.list(of: caller.userID).map(WireRecording.init)
        return .reply(.recordings(reply))
    }
}
