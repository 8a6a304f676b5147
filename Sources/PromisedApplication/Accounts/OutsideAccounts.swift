package import PromisedAccess
package import PromisedDomain
package import PromisedStore

/// The users whom an outside issuer's tokens name (domain §2); each is made when first seen.
package struct OutsideAccounts: Sendable {
    /// How many made-up nicknames are tried; one in 200 thousand million is any given one.
    static let madeUpNicknames = 4

    private let store: Store
    private let issuer: OutsideIssuer
    private let subjectKey: SubjectKey
    private let random: RandomSource

    /// The accounts in a store that an issuer's tokens name.
    package init(store: Store, issuer: OutsideIssuer, subjectKey: SubjectKey, random: RandomSource) {
        self.store = store
        self.issuer = issuer
        self.subjectKey = subjectKey
        self.random = random
    }

    /// Who a token names, when it is good and the account usable.
    ///
    /// - Throws: `invalidToken`, also for a disabled or deleted account.
    func identity(by token: String, at now: Instant) async throws -> Identity {
        guard let claims = try? await issuer.verify(token, at: now) else { throw ActError.invalidToken }
        let account: ExternalAccount
        if let known = try await store.externalAccount(subject: claims.subject) {
            account = known
        } else {
            account = try await firstSight(of: claims, at: now)
        }
        guard account.isUsable else { throw ActError.invalidToken }
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
        case .deleted: throw ActError.invalidToken
        case .nicknamesTaken: throw ActError.unavailable(retryAfter: .zero)
        }
    }

    /// The nicknames to try: the preferred one where it is one, then `user_` and eight letters.
    static func nicknames(
        preferring preferred: String?,
        using generator: inout some RandomNumberGenerator
    ) -> [ChosenNickname] {
        // A preferred name that cannot be a nickname is no reason to refuse anybody.
        let wanted = preferred.flatMap { try? Nickname($0) }
        let madeUp = (0..<madeUpNicknames).map { _ in
            let letters = (0..<8).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &generator))) }
            return Nickname(clean: "user_" + String(letters))
        }
        return ((wanted.map { [$0] } ?? []) + madeUp).map { ChosenNickname(text: $0.text, key: $0.key) }
    }
}
