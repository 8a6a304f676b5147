/// The counts of the work beside the phones. All but the errors and the export are of the measured time.
struct BesideTally: Hashable, Sendable, Codable {
    /// Photos whose last byte the server took.
    var photos = 0
    /// The bytes that the server took, also of unfinished photos.
    var uploadedBytes = 0
    /// Recordings that became a course.
    var recordings = 0
    /// Points that the server took.
    var points = 0
    /// From the request of an export until it is complete, to a quarter of a second; nil without a complete one.
    var exportSeconds: Double?
    /// The size of its archive.
    var exportBytes: Int?
    /// Errors by work and code, such as `upload.file.quota`.
    var errors: [String: Int] = [:]

    mutating func count(error code: String, of work: String) { errors["\(work).\(code)", default: 0] += 1 }
}
