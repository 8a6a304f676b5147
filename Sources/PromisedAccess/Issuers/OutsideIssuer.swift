import Crypto
import Foundation
package import PromisedDomain
package import PromisedSettings

/// Checks the tokens of an outside issuer (domain §2): which key signed them, for whom, until when.
///
/// A key is used for its own algorithm only, whatever a token's header asks for. `exp` is required; `nbf` counts where
/// there is one; `iss` and `aud` are compared where the operator says with what. Instants in tokens are real ones, also
/// when the server's clock is scaled, and have 30 s of leeway for clocks that differ.
package struct OutsideIssuer: Sendable {
    /// How far the issuer's clock and the server's may lie apart.
    package static let leeway = TimeSpan.seconds(30)
    /// Bytes of the longest text that is looked at.
    package static let longest = TextWeight.token
    /// How many characters a subject has.
    package static let subjectLength = 1...255

    private let keys: [IssuerKey]
    private let name: String?
    private let audience: String?
    private let clockRate: Double
    private let realNow: @Sendable () -> Instant

    /// An issuer with these keys.
    ///
    /// - Parameters:
    ///   - name: what `iss` must say; nil: not looked at.
    ///   - audience: what `aud` must say or hold; nil: not looked at.
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

    /// The issuer of a configuration, its key files read.
    package static func load(_ issuer: ServerSettings.Issuer, clockRate: Double) async throws(IssuerKeyError) -> Self {
        var keys: [IssuerKey] = []
        for file in issuer.keyFiles { keys += try await file.load() }
        return OutsideIssuer(keys: keys, name: issuer.name, audience: issuer.audience, clockRate: clockRate)
    }

    /// Whom a token names.
    ///
    /// - Parameter now: the server's clock, on which the claims' instants are given.
    /// - Throws: `expired` for a good token past its time, else `invalid`.
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

    /// The instant of a number of seconds; nil for one that is none, or beyond the years 1970 to 9999.
    private static func instant(_ seconds: Double) -> Instant? {
        guard (0...253_402_300_800).contains(seconds) else { return nil }
        return Instant(milliseconds: Int64((seconds * 1_000).rounded(.down)))
    }

    /// There is no session of ours behind such a token, only a name that connections share.
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
    /// The files that are configured.
    fileprivate var keyFiles: [IssuerKeyFile] {
        let paths: [(String?, IssuerAlgorithm)] = [(hs256, .hs256), (rs256, .rs256), (es256, .es256), (eddsa, .eddsa)]
        return paths.compactMap { path, algorithm in path.map { IssuerKeyFile(path: $0, algorithm: algorithm) } }
    }
}

/// What a verified token of an outside issuer says, its instants on the server's clock.
package struct IssuerClaims: Sendable, Hashable {
    /// The issuer's name for the user: 1–255 characters.
    package let subject: String
    /// The sign-in that the token belongs to: the same for all tokens with the same `sid`, a token's own without one.
    package let signIn: SignInID
    /// The nickname the user would like, as the issuer knows it; not checked.
    package let preferredUsername: String?
    /// When the token was issued; nil when it does not say.
    package let issuedAt: Instant?
    /// From when on the token is refused, not counting the leeway.
    package let expiresAt: Instant
}

/// How a deleted account's name at the outside issuer is remembered: by a keyed hash, whose key is not in the database.
///
/// The database alone then tells nothing about who was deleted, while a token from before the deletion is known again.
package struct SubjectKey: Sendable {
    private let key: SigningKey

    /// Hashes under a secret of this server.
    package init(_ key: SigningKey) {
        self.key = key
    }

    /// The hash of a subject: 32 bytes.
    @Sendable package func hash(_ subject: String) -> [UInt8] {
        // No token that the same secret signs has a space in what is signed.
        let message = Data("deleted subject \(subject)".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key.bytes)))
    }
}
