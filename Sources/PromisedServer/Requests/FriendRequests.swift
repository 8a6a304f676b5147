internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// Who is friends with whom (domain §3).
struct FriendRequests: Sendable {
    let store: Store
    let broadcaster: Broadcaster
    let throttles: AccountThrottles
    /// The largest frame that may be sent, in bytes.
    let frameLimit: Int
    /// Called after a block or its end was stored, with who blocks and whom, so that live sessions can react.
    var onBlockChange: @Sendable (UserID, UserID) async -> Void = { _, _ in }

    /// Answers `requestFriend`; a crossing request becomes the acceptance.
    func request(_ request: WireRequestFriend, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await target(of: request, from: caller)
        guard other.id != caller.userID else { throw RequestError(.friendSelf) }
        // Read before anything is changed, so that a change is never answered with a failed read.
        let mine = try await card(of: caller.userID)
        let friendship = try await change(caller, other.id) { friendship, counts throws(Refusal) in
            try friendship.request(by: caller.userID, counts: counts, at: caller.now)
        }
        switch friendship.state {
        case .friends: tellBoth(mine, other)
        case .requested:
            var event = WireEvent.FriendRequested()
            event.user = WireUserCard(mine)
            broadcaster.tell(other.id, .friendRequested(event))
        case .none: break
        }
        return reply(other, friendship, to: caller)
    }

    /// Answers `acceptFriend`.
    func accept(_ request: WireAcceptFriend, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await user(request.userID)
        let mine = try await card(of: caller.userID)
        let friendship = try await change(caller, other.id) { friendship, counts throws(Refusal) in
            try friendship.accept(by: caller.userID, counts: counts, at: caller.now)
        }
        tellBoth(mine, other)
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

    /// Answers `cancelFriendRequest`; whom it was made to is not told.
    func cancel(_ request: WireCancelFriendRequest, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await user(request.userID)
        let friendship = try await change(caller, other.id) { friendship, _ throws(Refusal) in
            try friendship.cancelRequest(by: caller.userID, at: caller.now)
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
        var room = FrameRoom(frameLimit: frameLimit, for: caller.connection)
        let (users, next) = room.fill(with: page, cursor: FriendCursor.init) { WireUserCard($0.card) }
        var reply = WireFriends()
        reply.users = users
        reply.cursor = next?.description ?? ""
        return .friends(reply)
    }

    /// At most so many requests are listed in each direction unless fewer are asked for: as many as one may have open.
    private static let longestList = Friendship.outgoingLimit

    /// Answers `listFriendRequests`, newest first. Both directions take turns, so that a flood of one does not hide the
    /// other.
    func listRequests(_ request: WireListFriendRequests, from caller: Caller) async throws(RequestError) -> WireContent?
    {
        let cursor = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { FriendRequestCursor($0) }
        let limit = request.hasLimit ? try PageRequest.limit(request.limit) : FriendRequests.longestList
        let requests = try await RequestError.stored { () async throws(StoreError) in
            try await store.friendRequests(of: caller.userID, after: cursor, limit: limit)
        }
        var reply = WireFriendRequests()
        var next = FriendRequestCursor(incoming: cursor?.incoming, outgoing: cursor?.outgoing)
        var room = FrameRoom(frameLimit: frameLimit, for: caller.connection)
        let (incoming, outgoing) = (requests.incoming.items, requests.outgoing.items)
        for index in 0..<max(incoming.count, outgoing.count) {
            if index < incoming.count {
                let card = WireUserCard(incoming[index].user)
                guard room.take(card) else { break }
                reply.incoming.append(card)
                next.incoming = incoming[index].place
            }
            if index < outgoing.count {
                let card = WireUserCard(outgoing[index].user)
                guard room.take(card) else { break }
                reply.outgoing.append(card)
                next.outgoing = outgoing[index].place
            }
        }
        let isLast =
            reply.incoming.count == incoming.count && requests.incoming.next == nil
            && reply.outgoing.count == outgoing.count && requests.outgoing.next == nil
        reply.cursor = isLast ? "" : next.description
        return .friendRequests(reply)
    }

    // MARK: - Parts

    private func target(
        of request: WireRequestFriend,
        from caller: Caller
    ) async throws(RequestError) -> UserCard {
        if request.hasUserID { return try await user(request.userID) }
        guard request.hasNickname else {
            throw RequestError(.requestInvalid, message: "userId or nickname must be given.", field: "userId")
        }
        try RequestError.limited { () throws(TooManyAttempts) in try throttles.find(by: caller.userID) }
        // A text that can't be looked up is nobody's name.
        guard let key = try? Nickname.key(lookedUp: request.nickname) else { throw RequestError(.userNotFound) }
        let found = try await RequestError.stored { () async throws(StoreError) in
            try await store.user(nicknameKey: key)
        }
        guard let found, !found.isDeleted else { throw RequestError(.userNotFound) }
        return found
    }

    func user(_ text: String) async throws(RequestError) -> UserCard {
        let card = try await card(of: try RequestError.userID(text))
        guard !card.isDeleted else { throw RequestError(.userNotFound) }
        return card
    }

    func card(of userID: UserID) async throws(RequestError) -> UserCard {
        let cards = try await RequestError.stored { () async throws(StoreError) in
            try await store.cards(of: [userID])
        }
        guard let card = cards[userID] else { throw RequestError(.userNotFound) }
        return card
    }

    func change(
        _ caller: Caller,
        _ other: UserID,
        _ rule: @escaping @Sendable (inout Friendship, Friendship.Counts) throws(Refusal) -> Void
    ) async throws(RequestError) -> Friendship {
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.changeFriendship(
                between: caller.userID,
                and: other,
                at: caller.now,
                audit: caller.audit,
                rule
            )
        }
        switch outcome {
        case .success(let friendship): return friendship
        case .failure(let refusal): throw RequestError(refusal)
        }
    }

    func tellBoth(_ one: UserCard, _ other: UserCard) {
        tell(one.id, gained: other)
        tell(other.id, gained: one)
    }

    private func tell(_ userID: UserID, gained friend: UserCard) {
        var event = WireEvent.FriendAdded()
        event.user = WireUserCard(friend)
        broadcaster.tell(userID, .friendAdded(event))
    }

    func tell(_ userID: UserID, lost friend: UserID) {
        var event = WireEvent.FriendRemoved()
        event.userID = friend.wireText
        broadcaster.tell(userID, .friendRemoved(event))
    }

    func reply(_ other: UserCard, _ friendship: Friendship, to caller: Caller) -> WireContent {
        .friendship(WireFriendship(friendship, seenBy: caller.userID, other: other))
    }
}
