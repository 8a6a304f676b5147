internal import PromisedClient
internal import PromisedProtocol

/// The outcomes that the client library has reported to its app: of positions, uploads and a recording.
struct AppNotes: Sendable {
    /// The positions that the reporter has accepted, and those that the server has settled.
    private var fixes: Set<UInt32> = []
    private var settledFixes: Set<UInt32> = []
    /// The number of positions dropped by the reporter after a refusal.
    private var givenUp = 0
    /// The points that the recorder has accepted, and those that the server has rejected.
    private(set) var points: Set<UInt32> = []
    private(set) var rejectedPoints: Set<UInt32> = []
    /// The course of the recording; nil before it exists.
    private(set) var courseID: String?
    /// `true` once the recording was refused or discarded.
    private(set) var isRecordingOver = false
    /// The outcomes of uploads, by their numbers: the file, or the error.
    private(set) var uploads: [Int: Result<String, ClientError>] = [:]

    /// The number of positions whose outcome the reporter has not reported.
    var waitingFixes: Int { fixes.subtracting(settledFixes).count - givenUp }

    mutating func take(fix seq: UInt32) { fixes.insert(seq) }
    mutating func take(point seq: UInt32) { points.insert(seq) }

    mutating func hear(_ notice: ReporterNotice) {
        switch notice {
        case .reported(let reported): settledFixes.formUnion(reported.taken + reported.rejected.map(\.seq))
        case .refused(_, let count), .overflowed(let count): givenUp += count
        case .wanted, .storageFailed: break
        }
    }

    mutating func hear(_ notice: RecorderNotice) {
        switch notice {
        case .recorded(let recorded): rejectedPoints.formUnion(recorded.rejected.map(\.seq))
        case .finished(let course): courseID = course.courseID
        case .discarded: isRecordingOver = true
        case .refused(let reply, _): if Retry(reply.retry) ?? .never == .never { isRecordingOver = true }
        case .started, .overflowed, .storageFailed, .damaged: break
        }
    }

    mutating func end(upload number: Int, _ outcome: Result<String, ClientError>) { uploads[number] = outcome }

    /// - Throws: an upload that has not ended, or that has failed although there was space.
    func requireEnded(_ number: Int) throws(Violation) {
        switch uploads[number] {
        case .success: break
        case .failure(.refused(let reply)) where reply.code == "file.quota": break
        case .failure(let error): throw Violation(.acknowledged, "an upload of the app fails: \(error)")
        case nil: throw Violation(.settled, "an upload of the app does not end")
        }
    }
}
