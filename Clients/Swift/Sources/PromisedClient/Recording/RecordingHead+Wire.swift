internal import PromisedProtocol

extension WireStartRecording {
    /// The request that creates the recording; idempotent.
    init(_ head: RecordingHead) {
        self.init()
        key = head.key
        activity = WireActivity.Value(rawValue: head.activity) ?? .other
        if let title = head.title { self.title = title }
    }
}

extension WireFinishRecording {
    /// The request that creates the course; idempotent.
    init(_ head: RecordingHead) {
        self.init()
        recordingID = head.recordingID
        guard let finish = head.finish else { return }
        if let title = finish.title { self.title = title }
        if let memo = finish.memo { self.memo = memo }
        if let folderID = finish.folderID { self.folderID = folderID }
        photos = finish.photos.map { photo in
            var choice = WirePhotoChoice()
            (choice.fileID, choice.caption) = (photo.fileID, photo.caption)
            return choice
        }
    }
}

extension WireAppendRecording {
    /// The request with current clock readings.
    func stamped(by time: any ClientTime) -> WireAppendRecording {
        var request = self
        request.uptimeMs = time.uptime.inMilliseconds
        if let now = WireTimestamp(readingMs: time.wallMs) { request.sentAt = now }
        return request
    }
}
