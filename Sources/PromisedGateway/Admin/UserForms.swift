internal import PromisedAccess
internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

/// The administrators' forms for accounts and friendships.
struct UserForms: Sendable {
    /// The number of sign-ins shown, newest first. More of them, together with all connections that the settings allow,
    /// could exceed a frame.
    static let signInsShown = 200

    let users: AccountAdministration
    let accounts: Accounts
    let deletions: AccountDeletions
    let friendships: FriendshipRequests
    let connections: Connections
    /// The outside issuer's name; empty without one.
    let issuer: String

    // MARK: - Looking

    func find(_ request: WireAdminFindUsers, from caller: AdminCaller) async throws -> AdminAnswer {
        let (found, suggestions) = try await users.find(request.name, at: caller.now)
        var reply = WireAdminUsers()
        reply.users = found.map { wire($0) }
        reply.suggestions = suggestions
        return .reply(.users(reply))
    }

    func list(_ request: WireAdminListUsers, from caller: AdminCaller) async throws -> AdminAnswer {
        let asked = try PageRequest(request) { FriendCursor($0) }
        let page = try await users.list(
            containing: request.hasText ? request.text : nil,
            onlyDisabled: request.disabled,
            after: asked.cursor,
            limit: asked.limit,
            at: caller.now
        )
        var reply = WireAdminUsers()
        reply.users = page.items.map { wire($0) }
        reply.cursor = page.next?.description ?? ""
        return .reply(.users(reply))
    }

    /// Answers `showUser`, also for a deleted account.
    func show(_ request: WireAdminShowUser, from caller: AdminCaller) async throws -> AdminAnswer {
        try await user(try UserID(wire: request.userID, field: "userId"), at: caller.now)
    }

    func listSessions(_ request: WireAdminListUserSessions, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try UserID(wire: request.userID, field: "userId")
        let signIns = try await users.signIns(of: id, at: caller.now)
        var reply = WireAdminUserSessions()
        reply.signIns = signIns.prefix(Self.signInsShown).map { WireAdminSignIn($0) }
        reply.connections = connections.connections(of: id).reversed().map { WireAdminConnection($0) }
        return .reply(.userSessions(reply))
    }

    // MARK: - Changing

    /// Answers `createUser`, validated like a sign-up, but not throttled.
    func create(_ request: WireAdminCreateUser, from caller: AdminCaller) async throws -> AdminAnswer {
        let asked = Accounts.SignUp(email: request.email, password: request.password, nickname: request.nickname)
        guard !request.checkOnly else {
            try await accounts.checkSignUp(asked)
            return .reply(.user(WireAdminUser()))
        }
        let id = try await accounts.register(asked, for: .trusted, at: caller.now) {
            caller.audit("createUser", of: $0.wireText)
        }
        return try await user(id, at: caller.now)
    }

    /// Answers `disableUser`, also for a disabled account.
    func disable(_ request: WireAdminDisableUser, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try await living(request.userID)
        try await accounts.disable(id, at: caller.now, audit: caller.audit("disableUser", of: id.wireText))
        return try await user(id, at: caller.now)
    }

    /// Answers `enableUser`, also for an account that is not disabled.
    func enable(_ request: WireAdminEnableUser, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try await living(request.userID)
        try await accounts.enable(id, audit: caller.audit("enableUser", of: id.wireText))
        return try await user(id, at: caller.now)
    }

    func resetPassword(_ request: WireAdminResetPassword, from caller: AdminCaller) async throws -> AdminAnswer {
        try accounts.signIns.requireLocalAccounts()
        let id = try await living(request.userID)
        let made = try await accounts.resetPassword(
            of: id,
            to: request.hasPassword ? request.password : nil,
            at: caller.now,
            audit: caller.audit("resetPassword", of: id.wireText)
        )
        var reply = WireAdminPassword()
        reply.password = made ?? ""
        return .reply(.password(reply))
    }

    func delete(_ request: WireAdminDeleteUser, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try await living(request.userID)
        let audit = caller.audit("deleteUser", of: id.wireText)
        guard try await deletions.erase(id, at: caller.now, audit: audit) else {
            throw RequestError(.userNotFound, field: "userId")
        }
        return .done
    }

    func kick(_ request: WireAdminKickUser, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try await living(request.userID)
        let audit = caller.audit("kickUser", of: id.wireText, detail: request.signOut ? "signed out" : "")
        let ended = try await accounts.kick(id, signingOut: request.signOut, at: caller.now, audit: audit)
        var reply = WireAdminKicked()
        reply.connections = UInt32(clamping: ended.connections)
        reply.signIns = UInt32(clamping: ended.signIns)
        return .reply(.kicked(reply))
    }

    // MARK: - Friendships

    func listFriends(_ request: WireAdminListFriends, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try await friend(request.userID).id
        return .reply(.friends(try await friendships.friends(request, of: id, for: caller.frame)))
    }

    /// Answers `listFriendRequests`, newest first.
    func listFriendRequests(
        _ request: WireAdminListFriendRequests,
        from caller: AdminCaller
    ) async throws -> AdminAnswer {
        let id = try await friend(request.userID).id
        return .reply(.friendRequests(try await friendships.requests(request, of: id, for: caller.frame)))
    }

    /// Answers `addFriends`: regardless of pending or rejected requests, but not against a block.
    func addFriends(_ request: WireAdminAddFriends, from caller: AdminCaller) async throws -> AdminAnswer {
        let (one, other, audit) = try await pair(request.userID, request.otherID, "addFriends", caller)
        try await friendships.friendships.befriend(one, other, at: caller.now, audit: audit)
        return .done
    }

    func removeFriends(_ request: WireAdminRemoveFriends, from caller: AdminCaller) async throws -> AdminAnswer {
        let (one, other, audit) = try await pair(request.userID, request.otherID, "removeFriends", caller)
        _ = try await friendships.friendships.remove(other.id, by: one.id, at: caller.now, audit: audit)
        return .done
    }

    func block(_ request: WireAdminBlockUser, from caller: AdminCaller) async throws -> AdminAnswer {
        let (one, other, audit) = try await pair(request.userID, request.otherID, "blockUser", caller)
        try await friendships.friendships.makeBlock(other.id, by: one.id, at: caller.now, audit: audit)
        return .done
    }

    /// Answers `unblockUser`, also without a block.
    func unblock(_ request: WireAdminUnblockUser, from caller: AdminCaller) async throws -> AdminAnswer {
        let (one, other, audit) = try await pair(request.userID, request.otherID, "unblockUser", caller)
        try await friendships.friendships.endBlock(other.id, by: one.id, at: caller.now, audit: audit)
        return .done
    }

    // MARK: - Parts

    /// The id of an account that is neither deleted nor being deleted.
    private func living(_ text: String) async throws -> UserID {
        let id = try UserID(wire: text, field: "userId")
        try await users.requireLiving(id)
        return id
    }

    private func friend(_ text: String) async throws -> UserCard {
        try await friendships.friendships.user(try UserID(wire: text, field: "userId"))
    }

    /// Two users who are not deleted, and their description for the audit log.
    private func pair(
        _ one: String,
        _ other: String,
        _ action: String,
        _ caller: AdminCaller
    ) async throws -> (UserCard, UserCard, AuditEntry) {
        let first = try await friend(one)
        let second = try await friendships.friendships.user(try UserID(wire: other, field: "otherId"))
        return (first, second, caller.audit(action, of: first.id.wireText, detail: second.id.wireText))
    }

    /// An account with its statistics, as it is now.
    private func user(_ id: UserID, at now: Instant) async throws -> AdminAnswer {
        let (account, statistics) = try await users.show(id, at: now)
        var user = wire(account)
        user.statistics = WireStatistics(statistics)
        return .reply(.user(user))
    }

    private func wire(_ account: AdministeredAccount) -> WireAdminUser {
        WireAdminUser(
            account,
            issuer: account.isExternal ? issuer : "",
            connections: connections.connections(of: account.account.id).count
        )
    }
}

extension WireAdminUser {
    /// An account without statistics.
    ///
    /// - Parameters:
    ///   - issuer: the outside issuer; empty for a local account.
    ///   - connections: the number of live connections.
    init(_ administered: AdministeredAccount, issuer: String, connections: Int) {
        self.init()
        let account = administered.account
        user = WireUserCard(account.card)
        email = account.email ?? ""
        createdAt = WireTimestamp(account.createdAt)
        if let disabledAt = account.disabledAt { self.disabledAt = WireTimestamp(disabledAt) }
        if let deletedAt = account.deletedAt ?? account.deletingAt { self.deletedAt = WireTimestamp(deletedAt) }
        self.issuer = issuer
        locale = account.locale
        timeZone = account.timeZone
        friends = UInt32(clamping: administered.friendCount)
        promises = UInt32(clamping: administered.promiseCount)
        self.connections = UInt32(clamping: connections)
    }
}

extension WireAdminSignIn {
    /// A sign-in in its wire form.
    init(_ signIn: OpenSignIn) {
        self.init()
        sessionID = signIn.id.wireText
        createdAt = WireTimestamp(signIn.createdAt)
        expiresAt = WireTimestamp(signIn.expiresAt)
    }
}

extension WireAdminConnection {
    /// A live connection in its wire form.
    init(_ connection: Connection) {
        self.init()
        let facts = connection.facts
        connectionID = connection.id.name
        address = connection.remoteAddress
        client = facts.client
        // A device without an id has one made from the connection, which is private.
        deviceID = facts.device.deviceID.hasPrefix("connection ") ? "" : facts.device.deviceID
        connectedAt = WireTimestamp(connection.openedAt)
        codec = "\(connection.codec)"
        subscriptions = UInt32(clamping: facts.subscriptions)
    }
}
