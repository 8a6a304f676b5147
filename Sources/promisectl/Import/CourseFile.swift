import Foundation
import PromisedClient
import PromisedCommandLine
import PromisedFormats
import PromisedProtocol

/// A GPX file on its way to a server.
struct CourseFile: Sendable {
    /// The bytes of one request: in JSON they take a third more, and a frame of 64 KiB has the rest for the other fields.
    static let pieceBytes = 40_000

    private let bytes: [UInt8]

    /// Reads the file. Throws `usage` if it cannot be read or is no GPX file that the server takes.
    init(path: String) throws(Failure) {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            // One more than may be, to notice that there are more.
            bytes = [UInt8](try handle.read(upToCount: GPXError.Limit.size.most + 1) ?? Data())
        } catch {
            throw .usage("cannot read \(path.printable): \(error.localizedDescription)")
        }
        do throws(GPXError) {
            _ = try GPXFile(bytes)
        } catch {
            throw .usage("\(path.printable): \(error)")
        }
    }

    /// Sends the file in pieces, one after the other.
    ///
    /// - Parameter course: the request without the fields of a piece.
    /// - Returns: the course that the server made.
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
            let reply = try await administration.ask(.importRecommendedCourse(piece))
            if reply.hasCourse { made = reply.course }
        }
        guard let made else { throw .refused("the server has the whole file and made no course: try again") }
        return made
    }
}
