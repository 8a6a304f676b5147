internal import PromisedApplication
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

/// The requests about exports of users' data (docs/courses.md).
struct ExportRequests: Sendable {
    let exports: DataExports

    /// Answers `exportMyData` with the state of the archive.
    func request(_ caller: Caller) async throws -> Answer<WireContent> {
        var reply = WireExport()
        switch try await exports.request(by: caller.userID) {
        case .working: reply.state = .working
        case .ready(let file):
            reply.state = .ready
            reply.file = WireStoredFile(file)
        case .tooEarly(let until):
            reply.state = .tooEarly
            reply.availableAt = WireTimestamp(until)
        }
        return .reply(.export(reply))
    }
}
