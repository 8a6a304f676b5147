import Crypto
import Foundation
package import PromisedDomain
package import PromisedSettings

/// Checks the tokens of an outside issuer (domain §2): the signing key, the user, the expiry.
///
/// A key is used for its own algorithm only, whatever a token's header says. `exp` is required; `nbf` is checked if
/// present; `iss` and `aud` are compared if the operator has set them. Instants in tokens are real ones, even if the
/// server's clock is scaled, and have 30 s of leeway for clocks that differ.
package struct OutsideIssuer: Sendable {
    /// The largest difference between the issuer's clock and the server's.
    package static let leeway = TimeSpan.seconds(30)
    /// The most bytes of a token.
    package static let longest = TextWeight.token
    /// The allowed number of characters of a subject.
    package static let subjectLength = 1...255

    private let keys: [IssuerKey]
    private let name: String?
    private let audience: String?
    private let clockRate: Double
    private let realNow: @Sendable () -> Instant

    /// An issuer with these keys.
    ///
    /// - Parameters:
    ///   - name: the required `iss`; nil to ignore it.
    ///   - audience: the required content of `aud`; nil to ignore it.
    ///   - clockRate: seconds of the server's clock per real second.
    ///   - realNow: the time of day.
    package init(
        keys: [IssuerKey],
        name: String?,
        audience: String?,
        clockRate: Double = 1,
        realNow: @escaping @Sendable () -> Instant = OutsideIssuer.timeOfDay
    ) {
        self.keys = keys
        self.name = name
        self.audience = audience
        self.clockRate = clockRate
        self.realNow = realNow
    }

    /// The issuer of a configuration, with its key files read.
    package static func load(_ issuer: ServerSettings.Issuer, clockRate: Double) async throws(IssuerKeyError) -> Self {
        var keys: [IssuerKey] = []
        for file in issuer.keyFiles { keys += try await file.load() }
        return OutsideIssuer(keys: keys, name: issuer.name, audience: issuer.audience, clockRate: clockRate)
    }

    /// The user of a token.
    ///
    /// - Parameter now: the server's clock, on which the claims' instants are given.
    /// - Throws: `expired` for a valid token past its time, else `invalid`.
    package func verify(_ token: String, at now: Instant) async throws(AccessTokenError) -> IssuerClaims {
        guard token.utf8.count <= Self.longest, let header = IssuerTokenHeader(of: token) else { throw .invalid }
        guard let payload = await payload(of: token, header), isForUs(payload) else { throw .invalid }
        guard Self.subjectLength.contains(payload.sub.count) else { throw .invalid }
        let real = realNow()
        guard let expiry = Self.instant(payload.exp) else { throw .invalid }
        if let start = payload.nbf {
            guard let start = Self.instant(start), start <= real + Self.leeway else { throw .invalid }
        }
        guard real < expiry + Self.leeway else { throw .expired }
        return IssuerClaims(
            subject: payload.sub,
            signIn: Self.signIn(payload, token: token),
            preferredUsername: payload.preferredUsername,
            issuedAt: payload.iat.flatMap(Self.instant).map { served($0, now: now, real: real) },
            expiresAt: served(expiry, now: now, real: real)
        )
    }

    // MARK: - Internals

    private func payload(of token: String, _ header: IssuerTokenHeader) async -> IssuerPayload? {
        let candidates = keys.filter { key in
            key.algorithm == header.algorithm && (key.id == nil || header.keyID == nil || key.id == header.keyID)
        }
        for key in candidates {
            if let payload = await key.payload(of: token) { return payload }
        }
        return nil
    }

    private func isForUs(_ payload: IssuerPayload) -> Bool {
        (name == nil || payload.iss == name) && (audience.map { payload.aud.contains($0) } ?? true)
    }

    /// A real instant on the server's clock.
    private func served(_ instant: Instant, now: Instant, real: Instant) -> Instant {
        now + .seconds((instant - real).seconds * clockRate)
    }

    /// The instant of a number of seconds; nil for one that is not a time, or beyond the years 1970 to 9999.
    private static func instant(_ seconds: Double) -> Instant? {
        guard (0...253_402_300_800).contains(seconds) else { return nil }
        return Instant(milliseconds: Int64((seconds * 1_000).rounded(.down)))
    }

    /// The sign-in of a token without a session of this server: only an id that connections share.
    private static func signIn(_ payload: IssuerPayload, token: String) -> SignInID {
        let name = payload.sid.map { "sid \(payload.sub.utf8.count) \(payload.sub) \($0)" } ?? "token \(token)"
        let digest = Array(SHA256.hash(data: Data(name.utf8)))
        let words = [digest[0..<8], digest[8..<16]].map { bytes in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return SignInID(high: words[0], low: words[1])
    }

    /// The real time.
    package static let timeOfDay: @Sendable () -> Instant = {
        Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }
}

extension ServerSettings.Issuer {
    fileprivate var keyFiles: [IssuerKeyFile] {
        let paths: [(String?, IssuerAlgorithm)] = [(hs256, .hs256), (rs256, .rs256), (es256, .es256), (eddsa, .eddsa)]
        return paths.compactMap { path, algorithm in path.map { IssuerKeyFile(path: $0, algorithm: algorithm) } }
    }
}

/// The claims of a verified token of an outside issuer, its instants on the server's clock.
package struct IssuerClaims: Sendable, Hashable {
    /// The issuer's name for the user: 1–255 characters.
    package let subject: String
    /// The sign-in of the token: the same for all tokens with the same `sid`; without one, the token's own.
    package let signIn: SignInID
    /// The nickname that the issuer suggests, unchecked.
    package let preferredUsername: String?
    /// When the token was issued; nil if missing.
    package let issuedAt: Instant?
    /// The first instant at which the token is refused, without the leeway.
    package let expiresAt: Instant
}

/// Hashes the outside issuer's name of a deleted account with a key outside the database.
///
/// So the database alone does not reveal which accounts were deleted, while a token from before the deletion is still
/// recognised.
package struct SubjectKey: Sendable {
    private let key: SigningKey

    /// Hashes under a secret of this server.
    package init(_ key: SigningKey) { self.key = key }

    /// The hash of a subject: 32 bytes.
    @Sendable package func hash(_ subject: String) -> [UInt8] {
        // No token signed with the same secret has a space in its signed part.
        let message = Data("deleted subject \(subject)".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key.bytes)))
    }
}
