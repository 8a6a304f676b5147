public import PromisedProtocol

/// Friends. Every call throws ``ClientError``; those that change something answer with the friendship as it stands.
extension PromisedClient {
    /// Reads a page of friends.
    ///
    /// - Parameters:
    ///   - cursor: from the page before; nil for the first. The last page's is empty.
    ///   - limit: how many at most, 1 to 50; the server's choice without it.
    public func listFriends(cursor: String? = nil, limit: Int32? = nil) async throws(ClientError) -> WireFriends {
        var request = WireListFriends()
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        guard case .friends(let page) = try await call(.listFriends(request)) else { throw .unexpectedReply }
        return page
    }

    /// Reads a page of friend requests that wait for an answer, from others and from here.
    ///
    /// - Parameters:
    ///   - cursor: from the page before; nil for the first. The last page's is empty.
    ///   - limit: how many at most, 1 to 50; the server's choice without it.
    public func listFriendRequests(
        cursor: String? = nil,
        limit: Int32? = nil
    ) async throws(ClientError) -> WireFriendRequests {
        var request = WireListFriendRequests()
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        guard case .friendRequests(let page) = try await call(.listFriendRequests(request)) else {
            throw .unexpectedReply
        }
        return page
    }

    /// Asks somebody to be friends.
    public func requestFriend(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireRequestFriend()
        request.userID = userID
        return try await friendship(.requestFriend(request))
    }

    /// Asks somebody to be friends, by exact nickname in any case.
    public func requestFriend(nickname: String) async throws(ClientError) -> WireFriendship {
        var request = WireRequestFriend()
        request.nickname = nickname
        return try await friendship(.requestFriend(request))
    }

    /// Takes back a request made from here.
    public func cancelFriendRequest(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireCancelFriendRequest()
        request.userID = userID
        return try await friendship(.cancelFriendRequest(request))
    }

    /// Accepts somebody's request.
    public func acceptFriend(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireAcceptFriend()
        request.userID = userID
        return try await friendship(.acceptFriend(request))
    }

    /// Declines somebody's request; they are not told.
    public func rejectFriend(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireRejectFriend()
        request.userID = userID
        return try await friendship(.rejectFriend(request))
    }

    /// Ends a friendship.
    public func removeFriend(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireRemoveFriend()
        request.userID = userID
        return try await friendship(.removeFriend(request))
    }

    /// Blocks somebody: they can no longer find this user, and a friendship ends.
    public func blockUser(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireBlockUser()
        request.userID = userID
        return try await friendship(.blockUser(request))
    }

    /// Ends a block; a friendship does not come back with that.
    public func unblockUser(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireUnblockUser()
        request.userID = userID
        return try await friendship(.unblockUser(request))
    }
}
