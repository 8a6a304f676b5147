/// An account as an administrator sees it.
package struct AdministeredAccount: Hashable, Sendable {
    package var account: Account
    /// `true` for an account of an outside issuer.
    package var isExternal: Bool
    package var friendCount: Int
    /// How many unfinished promises they have, including invitations.
    package var promiseCount: Int

    package init(account: Account, isExternal: Bool, friendCount: Int, promiseCount: Int) {
        self.account = account
        self.isExternal = isExternal
        self.friendCount = friendCount
        self.promiseCount = promiseCount
    }
}

/// A valid sign-in.
package struct OpenSignIn: Hashable, Sendable {
    package var id: SignInID
    package var createdAt: Instant
    /// The first instant at which all its refresh tokens are invalid.
    package var expiresAt: Instant

    package init(id: SignInID, createdAt: Instant, expiresAt: Instant) {
        self.id = id
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
