/// The counts of the background users. All except the errors and the export cover the measured time.
struct BackgroundTally: Hashable, Sendable, Codable {
    /// Photos completely received by the server.
    var photos = 0
    /// The bytes received by the server, including those of unfinished photos.
    var uploadedBytes = 0
    /// Recordings that became a course.
    var recordings = 0
    /// Points accepted by the server.
    var points = 0
    /// From the request of an export until it is complete, to a quarter of a second; nil if none was completed.
    var exportSeconds: Double?
    /// The size of the archive.
    var exportBytes: Int?
    /// Errors by work and code, such as `upload.file.quota`.
    var errors: [String: Int] = [:]

    mutating func count(error code: String, of work: String) { errors["\(work).\(code)", default: 0] += 1 }
}
