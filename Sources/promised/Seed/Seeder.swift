import Foundation
import Glibc
internal import PromisedAccess
import PromisedDomain
import PromisedServer
import PromisedStore

/// Writes a ``SeedPlan`` into a data directory that is not in use by a server.
struct Seeder {
    /// How many promises share a transaction.
    private static let batchSize = 200

    private let store: Store
    private let signer: AccessTokenSigner
    private let now: Instant

    /// Opens the directory with its signing key; creates it if it is missing. Throws `StoreError.locked` while a server
    /// has it open, any other `StoreError`, `SigningKeyError`.
    init(directory: String, lifetime: TimeSpan) async throws {
        store = try await Store.open(directory: directory)
        var generator = RandomSource.system
        let key = try SigningKeyFile(dataDirectory: directory).loadOrCreate(using: &generator)
        signer = await AccessTokenSigner(key: key, lifetime: lifetime)
        now = Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }

    /// Writes everything and closes the store.
    ///
    /// - Returns: a line of the token file per user.
    /// - Throws: `StoreError`, also if an earlier run created users with the same names; `AccessTokenError`.
    func write(_ plan: SeedPlan) async throws -> [String] {
        var generator = RandomSource.system
        var lines: [String] = []
        lines.reserveCapacity(plan.users)
        for start in stride(from: 0, to: plan.groups, by: Self.batchSize) {
            let numbers = start..<min(start + Self.batchSize, plan.groups)
            let groups = numbers.map { plan.group($0, at: now, using: &generator) }
            try await store.seed(plan.batch(groups, at: now))
            for group in groups { lines += try await self.lines(of: group) }
        }
        try await store.close()
        return lines
    }

    private func lines(of group: SeedPlan.Group) async throws -> [String] {
        var lines: [String] = []
        for user in group.users {
            let token = try await signer.issue(user: user.id, signIn: user.signIn, at: now)
            lines.append(TokenFile.line(user: user.id, of: group.meetup.promise, token: token.text))
        }
        return lines
    }
}

/// The file with the access tokens of seeded users, readable only by its owner.
///
/// The first line is ``header``; each further line is one user, seven fields separated by tabs: user id, promise id,
/// latitude, longitude, radius in metres, `owner` or `member`, access token. Users of one promise follow each other.
enum TokenFile {
    static let header = "promised-seed-1"

    /// Why the file could not be written.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let code: Int32

        var description: String { "cannot write \(path): \(String(cString: strerror(code)))" }
    }

    static func line(user: UserID, of promise: Promise, token: String) -> String {
        let place = promise.place.coordinate
        return [
            user.description, promise.id.description, "\(place.latitude)", "\(place.longitude)",
            "\(promise.radiusMetres)", user == promise.ownerID ? "owner" : "member", token,
        ].joined(separator: "\t")
    }

    /// Replaces the file, with mode 0600 from the start.
    static func write(_ lines: [String], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
        defer { _ = close(descriptor) }
        // An existing file may have another mode.
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
