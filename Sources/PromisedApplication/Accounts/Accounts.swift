package import Logging
package import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedSettings
package import PromisedStore

/// Accounts: sign-up, sign-in and sign-out, passwords, and an operator's actions (domain §2).
package struct Accounts: Sendable {
    let store:
        (
            accounts: AccountStore, administration: AdministrationStore, courses: CourseStore, deletions: DeletionStore,
            promises: PromiseStore
        )
    package let signIns: SignIns
    package let throttles: AccountThrottles
    private let passwords: Passwords
    let news: any News
    let clock: any WallClock
    private let random: RandomSource
    private let settings: ServerSettings
    let log: Logger

    /// `outside` handles the accounts of an outside issuer; nil if users sign up and sign in with this server.
    package init(
        store: some HasAccounts & HasAdministration & HasCourses & HasDeletions & HasPromises,
        hasher: PasswordHasher,
        signer: AccessTokenSigner,
        callers: KnownCallers,
        outside: OutsideAccounts?,
        news: any News,
        clock: any WallClock,
        random: RandomSource,
        settings: ServerSettings,
        throttles: AccountThrottles,
        log: Logger
    ) {
        self.store = (store.accounts, store.administration, store.courses, store.deletions, store.promises)
        signIns = SignIns(
            store: store.accounts,
            signer: signer,
            outside: outside,
            news: news,
            clock: clock,
            random: random,
            settings: settings
        )
        passwords = Passwords(
            store: store.accounts,
            hasher: hasher,
            throttles: throttles,
            callers: callers,
            clock: clock
        )
        self.news = news
        self.clock = clock
        self.random = random
        self.settings = settings
        self.throttles = throttles
        self.log = log
    }

    // MARK: - Signing up

    /// The data of a sign-up, as typed.
    package struct SignUp: Sendable {
        let email: String
        let password: String
        let nickname: String

        package init(email: String, password: String, nickname: String) {
            self.email = email
            self.password = password
            self.nickname = nickname
        }

        /// The normalised address and nickname.
        fileprivate func checked() throws(TextProblem) -> (email: EmailAddress, nickname: Nickname) {
            let email = try EmailAddress(email)
            try PasswordPolicy.check(password)
            return (email, try Nickname(nickname))
        }
    }

    /// Creates an account and signs in to it. Throws `TextProblem`, `emailTaken`, `nicknameTaken`, `TooManyAttempts`,
    /// `localAccountsOff`.
    package func signUp(_ signUp: SignUp, from origin: SignInOrigin, at now: Instant) async throws -> SignedIn {
        try signIns.requireLocalAccounts()
        // Checked before the input is folded; counted only when an account is created.
        try throttles.requireSignUp(from: origin.address)
        let email = try signUp.checked().email
        if let wait = throttles.signUp(from: origin.address) { throw TooManyAttempts(retryAfter: wait) }
        let user = try await register(signUp, for: throttles.caller(at: origin.address), at: now)
        return try await signIns.open(user, seen: passwords.seen(origin, account: email.key))
    }

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - caller: the caller for whom the password is hashed.
    ///   - audit: written in the same transaction if an administrator does this.
    /// - Throws: `TextProblem`, `emailTaken`, `nicknameTaken`, `localAccountsOff`.
    package func register(
        _ signUp: SignUp,
        for caller: PasswordCaller,
        at now: Instant,
        audit: (UserID) -> AuditEntry? = { _ in nil }
    ) async throws -> UserID {
        try signIns.requireLocalAccounts()
        let (email, nickname) = try signUp.checked()
        let hash = try await passwords.hasher.hash(signUp.password, for: caller)
        var generator = random
        let account = NewAccount(
            id: UserID(at: now, using: &generator),
            email: email.text,
            emailKey: email.key,
            nickname: nickname.text,
            nicknameKey: nickname.key,
            passwordHash: hash,
            locale: "en",
            timeZone: "UTC",
            createdAt: now
        )
        try await store.accounts.createUser(account, audit: audit(account.id)).requireCreated()
        return account.id
    }

    /// Checks whether an account could be created, without creating it.
    ///
    /// - Throws: as ``register(_:for:at:audit:)``.
    package func checkSignUp(_ signUp: SignUp) async throws {
        try signIns.requireLocalAccounts()
        let (email, nickname) = try signUp.checked()
        let chosen = ChosenNickname(text: nickname.text, key: nickname.key)
        try await store.administration.signUpOutcome(emailKey: email.key, nickname: chosen).requireCreated()
    }

    /// Checks whether a nickname is free for a user, or for somebody who signs up. Counts as a search, of the user or
    /// of the address.
    ///
    /// - Returns: the nickname as it would be stored, and `true` if it is free.
    /// - Throws: `TextProblem`, `TooManyAttempts`, `localAccountsOff`.
    package func checkNickname(
        _ text: String,
        for userID: UserID?,
        from address: ThrottleAddress
    ) async throws -> (nickname: String, isFree: Bool) {
        if let userID {
            try throttles.find(by: userID)
        } else {
            try signIns.requireLocalAccounts()
            try throttles.find(from: address)
        }
        let nickname = try Nickname(text)
        let chosen = ChosenNickname(text: nickname.text, key: nickname.key)
        return (nickname.text, try await store.accounts.isFree(chosen, for: userID))
    }

    // MARK: - Signing in and out

    /// Signs in. A wrong address and a wrong password are the same error and take the same time.
    ///
    /// - Parameter isAllowed: `true` if the caller may sign in as this user; called before any change.
    /// - Throws: `invalidCredentials`, `TextProblem`, `TooManyAttempts`, `localAccountsOff`, and errors of `isAllowed`.
    package func signIn(
        email: String,
        password: String,
        from origin: SignInOrigin,
        at now: Instant,
        isAllowed: (UserID) throws -> Void
    ) async throws -> SignedIn {
        try signIns.requireLocalAccounts()
        try PasswordPolicy.checkSize(password)
        // A known device does not wait because of others' failures from its address.
        if !origin.hasSecret { try throttles.requireSignIn(from: origin.address) }
        let key = try EmailAddress.key(lookedUp: email)
        let (credential, verdict) = try await passwords.check(password, account: key, from: origin) {
            try await store.accounts.credential(emailKey: key)
        }
        try isAllowed(credential.userID)
        if verdict == .rightButOutdated { try await passwords.renewHash(of: credential, password: password, at: now) }
        return try await signIns.open(credential.userID, seen: passwords.seen(origin, account: key))
    }

    /// Signs in with a single-use code, which is consumed even if the sign-in then fails. Throws `codeInvalid`,
    /// `TooManyAttempts`, `localAccountsOff`.
    package func exchange(
        _ code: String,
        of codes: SignInCodes,
        _ attempts: CodeAttempts,
        from origin: SignInOrigin
    ) async throws -> SignedIn {
        try signIns.requireLocalAccounts()
        let account = try await attempts.trying(by: origin.address) {
            guard let userID = codes.use(SecretCode(sent: code)),
                let account = try await store.accounts.account(userID), account.isUsable
            else { throw Refusal.codeInvalid }
            return account
        }
        let key = EmailAddress.key(for: account.email ?? "")
        return try await signIns.open(account.id, seen: passwords.seen(origin, account: key))
    }

    /// Issues a new pair of tokens for a session.
    ///
    /// - Parameter userID: the user who presents the token, if known.
    /// - Throws: `invalidToken`, `tooOften`, `forbidden` (another user's token), `localAccountsOff`.
    package func refresh(_ text: String, shownBy userID: UserID?, at now: Instant) async throws -> SignedIn {
        try signIns.requireLocalAccounts()
        guard let token = RefreshToken(text) else { throw ApplicationError.invalidToken }
        let count = news.endedSignIns
        var generator = random
        let successor = token.successor(using: &generator)
        // Counted before the transaction, which may run more than once. Counts no refresh with a token that is unknown or
        // of another user.
        let session = try await store.accounts.session(refreshedBy: token.hash, of: userID)
        let outcome = try await store.accounts.rotateRefreshToken(
            token.hash,
            to: successor.hash,
            newExpiry: signIns.refreshExpiry(at: now),
            now: now,
            overlap: .seconds(settings.tokens.overlap.seconds * clock.rate),
            of: userID,
            isAllowed: session.map { throttles.refresh($0) } ?? true
        )
        switch outcome {
        case .rotated(let userID, let signIn):
            return try await signIns.signedIn(userID, signIn, successor, since: count)
        case .reused(let userID, let signIn):
            log.notice("Refresh token was reused, session revoked", metadata: ["user": "\(userID)"])
            news.end(userID, because: .tokenReused, except: nil) { $0 == signIn }
            throw ApplicationError.invalidToken
        case .foreign: throw ApplicationError.somebodyElse
        case .tooOften(let signIn): throw ApplicationError.tooOften(retryAfter: throttles.refreshWait(of: signIn))
        case .unknown, .expired, .revoked: throw ApplicationError.invalidToken
        }
    }

    /// The user's card, and the counts of open items. Throws `invalidToken`.
    package func welcome(_ userID: UserID) async throws -> (card: UserCard, unread: Unread) {
        let (account, unread) = try await store.promises.account(userID, withUnreadAt: clock.now)
        return (try signIns.usable(account).card, unread)
    }

    /// Ends a session and its connections, except the requesting one. A token of an outside issuer stays valid there;
    /// only its connections end.
    package func signOut(_ userID: UserID, _ signIn: SignInID, on kept: SubscriberID, at now: Instant) async throws {
        _ = try await store.accounts.revoke(signIn, at: now)
        news.end(userID, because: .signedOut, except: kept) { $0 == signIn }
    }

    /// A user's sign-ins that have not ended, newest first.
    package func openSignIns(of userID: UserID, at now: Instant) async throws -> [OpenSignIn] {
        try await store.administration.openSignIns(of: userID, at: now)
    }

    /// Ends another sign-in of a user, or all others, with their connections; ignores one that has ended or is another
    /// user's.
    ///
    /// - Parameters:
    ///   - id: the sign-in to end, not `own`; nil for all others.
    ///   - own: the sign-in of the requesting connection.
    package func end(_ id: SignInID?, of userID: UserID, except own: SignInID, at now: Instant) async throws {
        guard let id else {
            _ = try await store.accounts.revokeAll(of: userID, except: own, at: now)
            news.end(userID, because: .signedOut, except: nil) { $0 != own }
            return
        }
        guard try await store.accounts.revoke(id, of: userID, at: now) else { return }
        news.end(userID, because: .signedOut, except: nil) { $0 == id }
    }

    // MARK: - Passwords

    /// Changes a password: this session continues with new tokens, all others end with their connections. Throws
    /// `invalidCredentials`, `TextProblem`, `TooManyAttempts`, `localAccountsOff`.
    package func changePassword(
        of userID: UserID,
        _ signIn: SignInID,
        from old: String,
        to new: String,
        at address: ThrottleAddress,
        _ now: Instant
    ) async throws -> SignedIn {
        try signIns.requireLocalAccounts()
        try PasswordPolicy.checkSize(old, field: "oldPassword")
        try PasswordPolicy.check(new, field: "newPassword")
        let count = news.endedSignIns
        let credential = try await passwords.require(old, of: userID, from: address)
        // Hashed as a trusted caller, because the password was just checked: it queues only once.
        let hash = try await passwords.hasher.hash(new)
        var generator = random
        let refresh = RefreshToken(using: &generator)
        let outcome = try await store.accounts.changePassword(
            of: userID,
            from: credential.passwordHash,
            to: hash,
            keeping: signIn,
            refreshHash: refresh.hash,
            refreshExpiresAt: signIns.refreshExpiry(at: now),
            at: now
        )
        switch outcome {
        case .changed: news.end(userID, because: .passwordChanged, except: nil) { $0 != signIn }
        case .superseded: throw ApplicationError.invalidCredentials
        case .sessionEnded: throw ApplicationError.invalidToken
        }
        return try await signIns.signedIn(userID, signIn, refresh, since: count)
    }

    /// Checks a user's password before their account is deleted; skipped with an outside issuer. Throws
    /// `invalidCredentials`, `TextProblem`, `TooManyAttempts`.
    func confirmDeletion(of userID: UserID, by password: String, from address: ThrottleAddress) async throws {
        guard !signIns.isOutside else { return }
        try PasswordPolicy.checkSize(password)
        try await passwords.require(password, of: userID, from: address)
    }

    // MARK: - What an operator does

    /// Disables an account: its sessions end with their connections, and sign-in fails.
    ///
    /// - Parameter audit: written in the same transaction if an administrator does this.
    /// - Returns: `true` if it was enabled before.
    @discardableResult
    package func disable(_ userID: UserID, at now: Instant, audit: AuditEntry? = nil) async throws -> Bool {
        let isNew = try await store.accounts.disable(userID, at: now, audit: audit)
        news.end(userID, because: .accountDisabled)
        return isNew
    }

    package func enable(_ userID: UserID, audit: AuditEntry) async throws {
        _ = try await store.accounts.enable(userID, audit: audit)
    }

    /// Sets a new password: all the account's sessions end with their connections.
    ///
    /// - Parameter password: nil to generate one.
    /// - Returns: the generated password; nil if one was given.
    /// - Throws: `TextProblem` for an unacceptable password, `userNotFound`, `localAccountsOff`.
    package func resetPassword(
        of userID: UserID,
        to password: String?,
        at now: Instant,
        audit: AuditEntry
    ) async throws -> String? {
        var generator = random
        let made = password == nil ? GeneratedPassword(using: &generator).text : nil
        let password = password ?? made ?? ""
        try PasswordPolicy.check(password)
        let hash = try await passwords.hasher.hash(password)
        guard try await store.administration.resetPassword(of: userID, to: hash, at: now, audit: audit) != nil else {
            throw ApplicationError.refused(.userNotFound, field: "userId")
        }
        news.end(userID, because: .passwordReset)
        return made
    }

    /// Ends a user's connections, and their sessions if requested.
    package func kick(
        _ userID: UserID,
        signingOut: Bool,
        at now: Instant,
        audit: AuditEntry
    ) async throws -> (connections: Int, signIns: Int) {
        var ended = 0
        if signingOut {
            ended = try await store.accounts.revokeAll(of: userID, at: now, audit: audit).count
        } else {
            try await store.administration.record(audit)
        }
        return (news.end(userID, because: .kicked), ended)
    }
}

extension ApplicationError {
    /// The error for a token of another user: a connection belongs to one user for its lifetime.
    package static var somebodyElse: ApplicationError {
        .refused(.forbidden, message: "The connection is signed in as another user.")
    }
}

extension SignUpOutcome {
    /// - Throws: `emailTaken`, `nicknameTaken`.
    fileprivate func requireCreated() throws {
        switch self {
        case .created: return
        case .emailTaken: throw ApplicationError.refused(.emailTaken, field: "email")
        case .nicknameTaken: throw ApplicationError.refused(.nicknameTaken, field: "nickname")
        }
    }
}

/// A generated password: twenty unambiguous characters, in groups of five.
///
/// Nearly 100 bits, and easy to read aloud over the telephone.
struct GeneratedPassword {
    /// Shown once.
    let text: String

    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")

    /// A new password. `generator` must be cryptographically secure outside tests.
    init(using generator: inout some RandomNumberGenerator) {
        let groups = (0..<4).map { _ in
            String((0..<5).map { _ in Self.alphabet[Int.random(in: Self.alphabet.indices, using: &generator)] })
        }
        text = groups.joined(separator: "-")
    }
}
