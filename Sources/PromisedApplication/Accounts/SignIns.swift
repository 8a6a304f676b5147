package import PromisedAccess
package import PromisedDomain
internal import PromisedEngine
internal import PromisedSettings
internal import PromisedStore

/// A signed-in user.
package struct Identity: Hashable, Sendable {
    package var userID: UserID
    /// The sign-in session named by the token.
    package var signIn: SignInID
    /// When the token expires, on the server's clock.
    package var expiresAt: Instant
}

/// A new or renewed session, with its tokens.
package struct SignedIn: Sendable {
    package let identity: Identity
    package let card: UserCard
    package let access: AccessToken
    /// The token for renewing the pair.
    package let refresh: RefreshToken
    /// The value of ``News/endedSignIns`` before the session was read.
    package let endings: UInt64
}

/// Sign-ins: their tokens and their validity.
package struct SignIns: Sendable {
    let store: AccountStore
    let signer: AccessTokenSigner
    /// The accounts of an outside issuer; nil if users sign up and sign in with this server.
    let outside: OutsideAccounts?
    let news: any News
    let clock: any WallClock
    let random: RandomSource
    let settings: ServerSettings

    /// `true` if accounts come from an outside issuer.
    package var isOutside: Bool { outside != nil }

    /// - Throws: `localAccountsOff`.
    package func requireLocalAccounts() throws {
        if isOutside { throw ApplicationError.localAccountsOff }
    }

    /// Begins a session of a user whose password or code was just checked.
    ///
    /// - Parameter callers: the digests by which the account recognises the caller from now on.
    func open(_ userID: UserID, seen callers: SeenCallers) async throws -> SignedIn {
        var generator = random
        let count = news.endedSignIns
        let now = clock.now
        let refresh = RefreshToken(using: &generator)
        let session = AuthSession(id: SignInID(at: now, using: &generator), userID: userID, createdAt: now)
        let replaced = try await store.createAuthSession(
            session,
            refreshHash: refresh.hash,
            refreshExpiresAt: refreshExpiry(at: now),
            limit: settings.limits.sessionsPerUser,
            callers: callers
        )
        guard let replaced else { throw ApplicationError.invalidCredentials }
        if !replaced.isEmpty { news.end(userID, because: .tooManySessions, except: nil) { replaced.contains($0) } }
        return try await signedIn(userID, session.id, refresh, since: count)
    }

    func signedIn(
        _ userID: UserID,
        _ id: SignInID,
        _ refresh: RefreshToken,
        since endings: UInt64
    ) async throws -> SignedIn {
        guard let access = try? await signer.issue(user: userID, signIn: id, at: clock.now) else {
            throw ApplicationError.broken
        }
        return SignedIn(
            identity: Identity(userID: userID, signIn: id, expiresAt: access.expiresAt),
            card: try usable(try await store.account(userID)).card,
            access: access,
            refresh: refresh,
            endings: endings
        )
    }

    /// The user of a token, if its session and account are valid. Throws `invalidToken`.
    package func identity(by token: String, at now: Instant) async throws -> Identity {
        guard token.utf8.count <= TextWeight.token else { throw ApplicationError.invalidToken }
        if let outside { return try await outside.identity(by: token, at: now) }
        guard let claims = try? await signer.verify(token, at: now) else { throw ApplicationError.invalidToken }
        let identity = Identity(userID: claims.user, signIn: claims.signIn, expiresAt: claims.expiresAt)
        try await requireGood(identity)
        return identity
    }

    /// - Throws: `invalidToken` if the account is not usable, or if the session of a local account has ended.
    package func requireGood(_ identity: Identity) async throws {
        let (session, account) = try await store.authSession(identity.signIn, withAccountOf: identity.userID)
        if !isOutside {
            guard let session, session.revokedAt == nil, session.userID == identity.userID else {
                throw ApplicationError.invalidToken
            }
        }
        _ = try usable(account)
    }

    /// The account, if its user may sign in. Throws `invalidToken`.
    func usable(_ account: Account?) throws -> Account {
        guard let account, account.isUsable else { throw ApplicationError.invalidToken }
        return account
    }

    /// Lifetimes of tokens are real durations, so they are longer on a scaled clock.
    func refreshExpiry(at now: Instant) -> Instant { now + .seconds(settings.tokens.refresh.seconds * clock.rate) }
}
