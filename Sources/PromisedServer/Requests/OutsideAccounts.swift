internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// The users whom an outside issuer's tokens name (domain §2); each is made when first seen.
struct OutsideAccounts: Sendable {
    /// How many made-up nicknames are tried; one in 200 thousand million is any given one.
    static let madeUpNicknames = 4

    let store: Store
    let issuer: OutsideIssuer
    let subjectKey: SubjectKey

    /// Whom a token names, when it is good and the account usable.
    ///
    /// - Throws: `auth.token-invalid`, also for a disabled or deleted account.
    func identity(by token: String, at now: Instant) async throws(RequestError) -> Identity {
        let claims: IssuerClaims
        do throws(AccessTokenError) {
            claims = try await issuer.verify(token, at: now)
        } catch {
            throw RequestError(.authTokenInvalid)
        }
        let known = try await RequestError.stored { () async throws(StoreError) in
            try await store.externalAccount(subject: claims.subject)
        }
        let account: ExternalAccount
        if let known { account = known } else { account = try await firstSight(of: claims, at: now) }
        guard account.isUsable else { throw RequestError(.authTokenInvalid) }
        return Identity(userID: account.userID, signIn: claims.signIn, expiresAt: claims.expiresAt)
    }

    private func firstSight(of claims: IssuerClaims, at now: Instant) async throws(RequestError) -> ExternalAccount {
        var generator = SystemRandomNumberGenerator()
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
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.createExternalUser(account)
        }
        switch outcome {
        case .found(let account): return account
        case .deleted: throw RequestError(.authTokenInvalid)
        case .nicknamesTaken: throw RequestError(.serverUnavailable)
        }
    }

    /// The nicknames to try: the preferred one where it is one, then `user_` and eight letters.
    static func nicknames(
        preferring preferred: String?,
        using generator: inout some RandomNumberGenerator
    ) -> [ChosenNickname] {
        // A preferred name that cannot be a nickname is no reason to refuse anybody.
        let wish = preferred.flatMap { try? Nickname($0) }
        let madeUp = (0..<madeUpNicknames).map { _ in
            let letters = (0..<8).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &generator))) }
            return Nickname(clean: "user_" + String(letters))
        }
        return ((wish.map { [$0] } ?? []) + madeUp).map { ChosenNickname(text: $0.text, key: $0.key) }
    }
}
