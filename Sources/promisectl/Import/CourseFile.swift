import Foundation
import PromisedClient
import PromisedCommandLine
import PromisedFormats
import PromisedProtocol

/// A GPX file to be sent to a server.
struct CourseFile: Sendable {
    /// The bytes per request: JSON enlarges them by a third, and the rest of a frame of 64 KiB is for the other fields.
    static let pieceBytes = 40_000

    /// The path, safe for a terminal.
    private let path: String
    private let bytes: [UInt8]

    /// Reads the file. Throws `usage` if it cannot be read or is not a GPX file that the server accepts.
    init(path: String) throws(Failure) {
        self.path = path.printable
        do throws(FormatError) {
            let input = try GPXInput(path: path)
            if let line = input.file.brokenOffLine {
                throw .unsuitable(reason: "line \(line): the file breaks off; a course for everybody needs a whole one")
            }
            bytes = input.bytes
        } catch {
            throw Failure(error.inFile(at: path.printable))
        }
    }

    /// Sends the file in pieces, one after the other.
    ///
    /// - Parameter course: the request without the fields of a piece.
    /// - Returns: the course created by the server.
    /// - Throws: the server's failure; for a failure of the file, with its path.
    func send(
        as course: WireAdminImportRecommendedCourse,
        to administration: any Administration
    ) async throws(Failure) -> WireAdminCourse {
        var piece = course
        piece.key = UUID().uuidString
        piece.bytes = Double(bytes.count)
        var made: WireAdminCourse?
        for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
            piece.offset = Double(start)
            piece.data = Data(bytes[start..<min(start + Self.pieceBytes, bytes.count)])
            let reply: WireAdminCourseImport
            do throws(Failure) {
                reply = try await administration.ask(.importRecommendedCourse(piece))
            } catch {
                throw error.inFile(at: path, for: [.courseTooShort, .trackMalformed])
            }
            if reply.hasCourse { made = reply.course }
        }
        guard let made else { throw .refused("the server has the whole file and made no course: try again") }
        return made
    }
}
