public import PromisedProtocol

extension AdminForm where Reply == WireFriends {
    /// A page of somebody's friends; `limit` is 1 to 50, the server's choice without it.
    public static func listFriends(of userID: String, cursor: String? = nil, limit: Int32? = nil) -> Self {
        var request = WireAdminListFriends()
        request.userID = userID
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listFriends(request)) { reply in
            guard case .friends(let friends) = reply else { return nil }
            return friends
        }
    }
}

extension AdminForm where Reply == WireFriendRequests {
    /// A page of somebody's open friend requests; `limit` is 1 to 50, the server's choice without it.
    public static func listFriendRequests(of userID: String, cursor: String? = nil, limit: Int32? = nil) -> Self {
        var request = WireAdminListFriendRequests()
        request.userID = userID
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listFriendRequests(request)) { reply in
            guard case .friendRequests(let requests) = reply else { return nil }
            return requests
        }
    }
}

extension AdminForm where Reply == WireAdminDone {
    /// Makes two users friends at once.
    public static func addFriends(_ userID: String, _ otherID: String) -> Self {
        var request = WireAdminAddFriends()
        request.userID = userID
        request.otherID = otherID
        return Self(done: .addFriends(request))
    }

    /// Makes two users no longer friends.
    public static func removeFriends(_ userID: String, _ otherID: String) -> Self {
        var request = WireAdminRemoveFriends()
        request.userID = userID
        request.otherID = otherID
        return Self(done: .removeFriends(request))
    }

    /// Blocks one user for another, who is named first.
    public static func blockUser(for userID: String, _ otherID: String) -> Self {
        var request = WireAdminBlockUser()
        request.userID = userID
        request.otherID = otherID
        return Self(done: .blockUser(request))
    }

    /// Takes back a block of the user who is named first.
    public static func unblockUser(for userID: String, _ otherID: String) -> Self {
        var request = WireAdminUnblockUser()
        request.userID = userID
        request.otherID = otherID
        return Self(done: .unblockUser(request))
    }
}
