internal import PromisedDomain
internal import PromisedJournal

/// The GPX file of a recommended course while its pieces arrive.
struct RecommendedCourseImport: Sendable {
    /// The client's key for the import.
    let key: String
    let order: RecommendedCourseOrder
    /// The bytes so far; empty once the course is created.
    private(set) var bytes: [UInt8] = []
    /// The course created from the file.
    private(set) var course: Course?

    init(key: String, _ order: RecommendedCourseOrder) {
        self.key = key
        self.order = order
    }

    /// `true` once all bytes have arrived.
    var isComplete: Bool { offset == order.bytes }

    /// The number of bytes received.
    var offset: Int64 { course == nil ? Int64(bytes.count) : order.bytes }

    /// Adds a piece; a piece that was already received changes nothing, so it may be repeated.
    ///
    /// - Parameter offset: the number of bytes before it, 0 or more.
    /// - Throws: `fileMismatch` if bytes before it are missing or it exceeds the size, `requestKeyReused` if it differs
    ///   from the received bytes.
    mutating func add(_ piece: [UInt8], at offset: Int64) throws(ApplicationError) {
        guard offset <= self.offset, Int64(piece.count) <= order.bytes - offset else {
            let message = "The server has \(self.offset) of \(order.bytes) bytes: go on there, or use another key."
            throw .refused(.fileMismatch, field: "offset", message: message)
        }
        guard course == nil else { return }
        let begin = Int(offset)
        let known = min(bytes.count - begin, piece.count)
        guard bytes[begin..<begin + known] == piece[..<known] else {
            let message = "The piece differs from an earlier one: begin again with another key."
            throw .refused(.requestKeyReused, field: "data", message: message)
        }
        bytes += piece[known...]
    }

    /// Stores the course and drops the bytes.
    mutating func finish(as course: Course) {
        self.course = course
        bytes = []
    }
}
