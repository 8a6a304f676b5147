import Foundation
import PromisedClient
import PromisedCommandLine
import PromisedFormats
import PromisedProtocol

/// A GPX file on its way to a server.
struct CourseFile: Sendable {
    /// The bytes of one request: in JSON they take a third more, and a frame of 64 KiB has the rest for the other fields.
    static let pieceBytes = 40_000

    /// The path, as a terminal may show it.
    private let path: String
    private let bytes: [UInt8]

    /// Reads the file. Throws `usage` if it cannot be read or is no GPX file that the server takes.
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
    /// - Returns: the course that the server made.
    /// - Throws: the server's failure; one of the file with its path.
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
