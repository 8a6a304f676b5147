public import PromisedProtocol

extension AdminForm {
    // MARK: - Finding and showing

    /// The users with exactly this id, nickname or e-mail, in any case; with suggestions if there are none.
    public static func findUsers(named name: String) -> Self where Reply == WireAdminUsers {
        var request = WireAdminFindUsers()
        request.name = name
        return Self(users: .findUsers(request))
    }

    /// A page of accounts, ascending by nickname.
    ///
    /// - Parameters:
    ///   - text: only accounts whose nickname or e-mail contains it, in any case; nil: all.
    ///   - disabled: only disabled accounts.
    ///   - cursor: from the page before; nil for the first.
    ///   - limit: the size of the page, 1 to 50; the server's choice without it.
    public static func listUsers(
        text: String? = nil,
        disabled: Bool = false,
        cursor: String? = nil,
        limit: Int32? = nil
    ) -> Self where Reply == WireAdminUsers {
        var request = WireAdminListUsers()
        if let text { request.text = text }
        request.disabled = disabled
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(users: .listUsers(request))
    }

    // MARK: - One account

    /// One account with its statistics.
    public static func showUser(_ userID: String) -> Self where Reply == WireAdminUser {
        var request = WireAdminShowUser()
        request.userID = userID
        return Self(user: .showUser(request))
    }

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - nickname: 2 to 20 letters, digits or `_`; unique ignoring case.
    ///   - email: unique ignoring case.
    ///   - password: 8 to 128 characters.
    ///   - checkOnly: return the outcome without creating it; the reply then has no `user`.
    public static func createUser(nickname: String, email: String, password: String, checkOnly: Bool = false) -> Self
    where Reply == WireAdminUser {
        var request = WireAdminCreateUser()
        request.nickname = nickname
        request.email = email
        request.password = password
        request.checkOnly = checkOnly
        return Self(user: .createUser(request))
    }

    /// Disables an account and ends all its sessions.
    public static func disableUser(_ userID: String) -> Self where Reply == WireAdminUser {
        var request = WireAdminDisableUser()
        request.userID = userID
        return Self(user: .disableUser(request))
    }

    /// Enables an account again.
    public static func enableUser(_ userID: String) -> Self where Reply == WireAdminUser {
        var request = WireAdminEnableUser()
        request.userID = userID
        return Self(user: .enableUser(request))
    }

    /// Deletes an account, as its user would.
    public static func deleteUser(_ userID: String) -> Self where Reply == WireAdminDone {
        var request = WireAdminDeleteUser()
        request.userID = userID
        return Self(done: .deleteUser(request))
    }

    /// Gives an account another password and ends all its sessions.
    ///
    /// - Parameter password: 8 to 128 characters; nil: the server makes one and replies with it.
    public static func resetPassword(of userID: String, to password: String? = nil) -> Self
    where Reply == WireAdminPassword {
        var request = WireAdminResetPassword()
        request.userID = userID
        if let password { request.password = password }
        return Self(.resetPassword(request)) { if case .password(let reply) = $0 { reply } else { nil } }
    }

    // MARK: - Sessions and connections

    /// A user's sessions and connections.
    public static func listUserSessions(of userID: String) -> Self where Reply == WireAdminUserSessions {
        var request = WireAdminListUserSessions()
        request.userID = userID
        return Self(.listUserSessions(request)) { if case .userSessions(let reply) = $0 { reply } else { nil } }
    }

    /// Closes a user's connections.
    ///
    /// - Parameter signOut: end the sessions as well, so that the user must sign in again.
    public static func kickUser(_ userID: String, signOut: Bool = false) -> Self where Reply == WireAdminKicked {
        var request = WireAdminKickUser()
        request.userID = userID
        request.signOut = signOut
        return Self(.kickUser(request)) { if case .kicked(let reply) = $0 { reply } else { nil } }
    }

    /// A page of a user's friends; `limit` is 1 to 50, the server's choice without it.
    public static func listFriends(of userID: String, cursor: String? = nil, limit: Int32? = nil) -> Self
    where Reply == WireFriends {
        var request = WireAdminListFriends()
        request.userID = userID
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listFriends(request)) { if case .friends(let reply) = $0 { reply } else { nil } }
    }

    /// A page of a user's open friend requests; `limit` is 1 to 50, the server's choice without it.
    public static func listFriendRequests(of userID: String, cursor: String? = nil, limit: Int32? = nil) -> Self
    where Reply == WireFriendRequests {
        var request = WireAdminListFriendRequests()
        request.userID = userID
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listFriendRequests(request)) { if case .friendRequests(let reply) = $0 { reply } else { nil } }
    }

    /// Makes two users friends at once.
    public static func addFriends(_ userID: String, _ otherID: String) -> Self where Reply == WireAdminDone {
        var request = WireAdminAddFriends()
        request.userID = userID
        request.otherID = otherID
        return Self(done: .addFriends(request))
    }

    /// Ends the friendship of two users.
    public static func removeFriends(_ userID: String, _ otherID: String) -> Self where Reply == WireAdminDone {
        var request = WireAdminRemoveFriends()
        request.userID = userID
        request.otherID = otherID
        return Self(done: .removeFriends(request))
    }

    /// Blocks the second user for the first.
    public static func blockUser(for userID: String, _ otherID: String) -> Self where Reply == WireAdminDone {
        var request = WireAdminBlockUser()
        request.userID = userID
        request.otherID = otherID
        return Self(done: .blockUser(request))
    }

    /// Ends the first user's block of the second.
    public static func unblockUser(for userID: String, _ otherID: String) -> Self where Reply == WireAdminDone {
        var request = WireAdminUnblockUser()
        request.userID = userID
        request.otherID = otherID
        return Self(done: .unblockUser(request))
    }
}
