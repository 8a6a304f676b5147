import Glibc
import PromisedDomain

/// The file with the access tokens of seeded users, which only its owner may read.
///
/// The first line is ``header``; each further line is one user, seven fields separated by tabs: user id, promise id,
/// latitude, longitude, radius in metres, `owner` or `member`, access token. Users of one promise follow each other.
enum TokenFile {
    /// The first line.
    static let header = "promised-seed-1"

    /// Why the file could not be written.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let code: Int32

        var description: String { "cannot write \(path): \(String(cString: strerror(code)))" }
    }

    /// One user's line.
    static func line(user: UserID, of promise: Promise, token: String) -> String {
        let place = promise.place.coordinate
        return [
            user.description, promise.id.description, "\(place.latitude)", "\(place.longitude)",
            "\(promise.radiusMetres)", user == promise.ownerID ? "owner" : "member", token,
        ].joined(separator: "\t")
    }

    /// Writes the file anew, with mode 0600 from the start.
    static func write(_ lines: [String], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
        defer { _ = close(descriptor) }
        // A file that was there before may have another mode.
        guard fchmod(descriptor, 0o600) == 0 else { throw Failure(path: path, code: errno) }
        let bytes = Array(([header] + lines).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(path: path, code: errno) }
            written += count
        }
    }
}
