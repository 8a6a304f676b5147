package import PromisedAccess
package import PromisedDomain
package import PromisedStore

/// The users of an outside issuer's tokens (domain §2); each is created when first seen.
package struct OutsideAccounts: Sendable {
    /// How many generated nicknames are tried; each is taken with a probability of one in 200 thousand million.
    static let madeUpNicknames = 4

    private let store: AccountStore
    private let issuer: OutsideIssuer
    private let subjectKey: SubjectKey
    private let random: RandomSource

    package init(store: some HasAccounts, issuer: OutsideIssuer, subjectKey: SubjectKey, random: RandomSource) {
        self.store = store.accounts
        self.issuer = issuer
        self.subjectKey = subjectKey
        self.random = random
    }

    /// The user of a valid token, if the account is usable. Throws `invalidToken`, also for a disabled or deleted
    /// account.
    func identity(by token: String, at now: Instant) async throws -> Identity {
        guard let claims = try? await issuer.verify(token, at: now) else { throw ApplicationError.invalidToken }
        let account: ExternalAccount
        if let known = try await store.externalAccount(subject: claims.subject) {
            account = known
        } else {
            account = try await firstSight(of: claims, at: now)
        }
        guard account.isUsable else { throw ApplicationError.invalidToken }
        return Identity(userID: account.userID, signIn: claims.signIn, expiresAt: claims.expiresAt)
    }

    private func firstSight(of claims: IssuerClaims, at now: Instant) async throws -> ExternalAccount {
        var generator = random
        let account = NewExternalAccount(
            id: UserID(at: now, using: &generator),
            subject: claims.subject,
            subjectKey: subjectKey.hash(claims.subject),
            issuedAt: claims.issuedAt,
            nicknames: Self.nicknames(preferring: claims.preferredUsername, using: &generator),
            locale: "en",
            timeZone: "UTC",
            createdAt: now
        )
        switch try await store.createExternalUser(account) {
        case .found(let account): return account
        case .deleted: throw ApplicationError.invalidToken
        case .nicknamesTaken: throw ApplicationError.unavailable(retryAfter: .zero)
        }
    }

    /// The nicknames to try: the preferred one if valid, then `user_` and eight letters.
    static func nicknames(
        preferring preferred: String?,
        using generator: inout some RandomNumberGenerator
    ) -> [ChosenNickname] {
        // An invalid preferred name does not prevent the sign-in.
        let wanted = preferred.flatMap { try? Nickname($0) }
        let madeUp = (0..<madeUpNicknames).map { _ in
            let letters = (0..<8).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &generator))) }
            return Nickname(clean: "user_" + String(letters))
        }
        return ((wanted.map { [$0] } ?? []) + madeUp).map { ChosenNickname(text: $0.text, key: $0.key) }
    }
}
