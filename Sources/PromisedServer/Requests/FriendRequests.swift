internal import PromisedDomain
internal import PromisedStore
internal import PromisedWire

/// Who is friends with whom (domain §3).
struct FriendRequests: Sendable {
    let store: Store
    let broadcaster: Broadcaster

    /// Answers `requestFriend`; a crossing request becomes the acceptance.
    func request(_ request: WireRequestFriend, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await target(of: request)
        guard other.id != caller.userID else { throw RequestError(.friendSelf) }
        let friendship = try await change(caller, other.id) { friendship, counts throws(Refusal) in
            try friendship.request(by: caller.userID, counts: counts, at: caller.now)
        }
        switch friendship.state {
        case .friends: try await tellBoth(caller.userID, other)
        case .requested:
            var event = WireEvent.FriendRequested()
            event.user = WireUserCard(try await card(of: caller.userID))
            broadcaster.tell(other.id, .friendRequested(event))
        case .none: break
        }
        return reply(other, friendship, to: caller)
    }

    /// Answers `acceptFriend`.
    func accept(_ request: WireAcceptFriend, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await user(request.userID)
        let friendship = try await change(caller, other.id) { friendship, counts throws(Refusal) in
            try friendship.accept(by: caller.userID, counts: counts, at: caller.now)
        }
        try await tellBoth(caller.userID, other)
        return reply(other, friendship, to: caller)
    }

    /// Answers `rejectFriend`; the requester is not told.
    func reject(_ request: WireRejectFriend, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await user(request.userID)
        let friendship = try await change(caller, other.id) { friendship, _ throws(Refusal) in
            try friendship.reject(by: caller.userID, at: caller.now)
        }
        return reply(other, friendship, to: caller)
    }

    /// Answers `removeFriend`.
    func remove(_ request: WireRemoveFriend, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await user(request.userID)
        let friendship = try await change(caller, other.id) { friendship, _ throws(Refusal) in
            try friendship.remove(at: caller.now)
        }
        tell(caller.userID, lost: other.id)
        tell(other.id, lost: caller.userID)
        return reply(other, friendship, to: caller)
    }

    /// Answers `listFriends`.
    func list(_ request: WireListFriends, from caller: Caller) async throws(RequestError) -> WireContent? {
        let cursor = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { FriendCursor($0) }
        let limit = try PageRequest.limit(request.hasLimit ? request.limit : nil)
        let page = try await RequestError.stored { () async throws(StoreError) in
            try await store.friends(of: caller.userID, after: cursor, limit: limit)
        }
        var reply = WireFriends()
        reply.users = page.items.map { WireUserCard($0) }
        reply.cursor = page.next?.description ?? ""
        return .friends(reply)
    }

    /// Answers `listFriendRequests`; open requests are few enough for one page.
    func listRequests(_ request: WireListFriendRequests, from caller: Caller) async throws(RequestError) -> WireContent?
    {
        _ = try PageRequest.limit(request.hasLimit ? request.limit : nil)
        let requests = try await RequestError.stored { () async throws(StoreError) in
            try await store.friendRequests(of: caller.userID)
        }
        var reply = WireFriendRequests()
        reply.incoming = requests.incoming.map { WireUserCard($0) }
        reply.outgoing = requests.outgoing.map { WireUserCard($0) }
        return .friendRequests(reply)
    }

    // MARK: - Parts

    private func target(of request: WireRequestFriend) async throws(RequestError) -> UserCard {
        if request.hasUserID { return try await user(request.userID) }
        guard request.hasNickname else { throw RequestError(.requestInvalid, field: "userId") }
        let found = try await RequestError.stored { () async throws(StoreError) in
            try await store.user(nicknameKey: Nickname.key(for: request.nickname))
        }
        guard let found, !found.isDeleted else { throw RequestError(.userNotFound) }
        return found
    }

    private func user(_ text: String) async throws(RequestError) -> UserCard {
        let card = try await card(of: try RequestError.userID(text))
        guard !card.isDeleted else { throw RequestError(.userNotFound) }
        return card
    }

    private func card(of userID: UserID) async throws(RequestError) -> UserCard {
        let cards = try await RequestError.stored { () async throws(StoreError) in
            try await store.cards(of: [userID])
        }
        guard let card = cards[userID] else { throw RequestError(.userNotFound) }
        return card
    }

    private func change(
        _ caller: Caller,
        _ other: UserID,
        _ rule: @escaping @Sendable (inout Friendship, Friendship.Counts) throws(Refusal) -> Void
    ) async throws(RequestError) -> Friendship {
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.changeFriendship(between: caller.userID, and: other, at: caller.now, rule)
        }
        switch outcome {
        case .success(let friendship): return friendship
        case .failure(let refusal): throw RequestError(refusal)
        }
    }

    private func tellBoth(_ userID: UserID, _ other: UserCard) async throws(RequestError) {
        tell(userID, gained: other)
        tell(other.id, gained: try await card(of: userID))
    }

    private func tell(_ userID: UserID, gained friend: UserCard) {
        var event = WireEvent.FriendAdded()
        event.user = WireUserCard(friend)
        broadcaster.tell(userID, .friendAdded(event))
    }

    private func tell(_ userID: UserID, lost friend: UserID) {
        var event = WireEvent.FriendRemoved()
        event.userID = friend.wireText
        broadcaster.tell(userID, .friendRemoved(event))
    }

    private func reply(_ other: UserCard, _ friendship: Friendship, to caller: Caller) -> WireContent {
        .friendship(WireFriendship(friendship, seenBy: caller.userID, other: other))
    }
}
