internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// What administrators see of friendships and do to them: mostly what one of the two might do.
struct FriendAdministration: Sendable {
    let friends: FriendRequests

    /// Answers `listFriends`.
    func list(_ request: WireAdminListFriends, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        let user = try await friends.user(request.userID)
        var asked = WireListFriends()
        if request.hasCursor { asked.cursor = request.cursor }
        if request.hasLimit { asked.limit = request.limit }
        guard case .friends(let reply) = try await friends.list(asked, from: caller.acting(as: user.id)) else {
            return nil
        }
        return .friends(reply)
    }

    /// Answers `listFriendRequests`, newest first.
    func listRequests(
        _ request: WireAdminListFriendRequests,
        from caller: AdminCaller
    ) async throws(RequestError) -> AdminReply? {
        let user = try await friends.user(request.userID)
        var asked = WireListFriendRequests()
        if request.hasCursor { asked.cursor = request.cursor }
        if request.hasLimit { asked.limit = request.limit }
        let acting = caller.acting(as: user.id)
        guard case .friendRequests(let reply) = try await friends.listRequests(asked, from: acting) else { return nil }
        return .friendRequests(reply)
    }

    /// Answers `addFriends`: whatever requests are open or were rejected, but not through a block.
    func add(_ request: WireAdminAddFriends, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let (one, other) = try await pair(request.userID, request.otherID)
        let acting = caller.acting(as: one.id, audit: audit("addFriends", one, other, from: caller))
        _ = try await friends.change(acting, other.id) { friendship, counts throws(Refusal) in
            try friendship.befriend(counts: counts, at: caller.now)
        }
        friends.tellBoth(one, other)
        return .done(WireAdminDone())
    }

    /// Answers `removeFriends`.
    func remove(_ request: WireAdminRemoveFriends, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let (one, other) = try await pair(request.userID, request.otherID)
        var asked = WireRemoveFriend()
        asked.userID = other.id.wireText
        let acting = caller.acting(as: one.id, audit: audit("removeFriends", one, other, from: caller))
        _ = try await friends.remove(asked, from: acting)
        return .done(WireAdminDone())
    }

    /// Answers `blockUser`.
    func block(_ request: WireAdminBlockUser, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let (one, other) = try await pair(request.userID, request.otherID)
        let acting = caller.acting(as: one.id, audit: audit("blockUser", one, other, from: caller))
        _ = try await friends.block(other.id, for: acting)
        return .done(WireAdminDone())
    }

    /// Answers `unblockUser`, also when there was nothing to end.
    func unblock(_ request: WireAdminUnblockUser, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let (one, other) = try await pair(request.userID, request.otherID)
        let acting = caller.acting(as: one.id, audit: audit("unblockUser", one, other, from: caller))
        _ = try await friends.unblock(other.id, for: acting)
        return .done(WireAdminDone())
    }

    /// Two different users who are not deleted.
    private func pair(_ one: String, _ other: String) async throws(RequestError) -> (UserCard, UserCard) {
        let first = try await friends.user(one)
        do throws(RequestError) {
            return (first, try await friends.user(other))
        } catch {
            var error = error
            if error.field == "userId" { error.field = "otherId" }
            throw error
        }
    }

    private func audit(_ action: String, _ one: UserCard, _ other: UserCard, from caller: AdminCaller) -> AuditEntry {
        caller.audit(action, of: one.id.wireText, detail: other.id.wireText)
    }
}

extension Friendship {
    /// An administrator makes the two friends, whatever requests are open.
    ///
    /// - Throws: the first that applies of `friendBlocked` (either blocks the other), `friendAlready`, `friendLimit`.
    mutating func befriend(counts: Counts, at now: Instant) throws(Refusal) {
        guard blockedBy.isEmpty else { throw .friendBlocked }
        guard state != .friends else { throw .friendAlready }
        guard counts.mine < Friendship.friendLimit, counts.theirs < Friendship.friendLimit else { throw .friendLimit }
        state = .friends
        since = now
        rejection = nil
    }
}
