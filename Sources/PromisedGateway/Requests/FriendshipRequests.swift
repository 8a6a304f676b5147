internal import PromisedApplication
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

/// Friendships (domain §3).
struct FriendshipRequests: Sendable {
    let friendships: Friendships

    func request(_ request: WireRequestFriend, from caller: Caller) async throws -> Answer<WireContent> {
        let name: Friendships.Name
        if request.hasUserID {
            name = .id(try UserID(wire: request.userID, field: "userId"))
        } else if request.hasNickname {
            name = .nickname(request.nickname)
        } else {
            throw RequestError(.requestInvalid, message: "The request needs userId or nickname.", field: "userId")
        }
        return answer(try await friendships.request(name, by: caller.userID, at: caller.now), to: caller)
    }

    func accept(_ request: WireAcceptFriend, from caller: Caller) async throws -> Answer<WireContent> {
        let other = try UserID(wire: request.userID, field: "userId")
        return answer(try await friendships.accept(other, by: caller.userID, at: caller.now), to: caller)
    }

    func reject(_ request: WireRejectFriend, from caller: Caller) async throws -> Answer<WireContent> {
        let other = try UserID(wire: request.userID, field: "userId")
        return answer(try await friendships.reject(other, by: caller.userID, at: caller.now), to: caller)
    }

    func cancel(_ request: WireCancelFriendRequest, from caller: Caller) async throws -> Answer<WireContent> {
        let other = try UserID(wire: request.userID, field: "userId")
        return answer(try await friendships.cancel(other, by: caller.userID, at: caller.now), to: caller)
    }

    func remove(_ request: WireRemoveFriend, from caller: Caller) async throws -> Answer<WireContent> {
        let other = try UserID(wire: request.userID, field: "userId")
        return answer(try await friendships.remove(other, by: caller.userID, at: caller.now), to: caller)
    }

    func block(_ request: WireBlockUser, from caller: Caller) async throws -> Answer<WireContent> {
        let other = try UserID(wire: request.userID, field: "userId")
        return answer(try await friendships.block(other, by: caller.userID, at: caller.now), to: caller)
    }

    /// Answers `unblockUser`, also without a block.
    func unblock(_ request: WireUnblockUser, from caller: Caller) async throws -> Answer<WireContent> {
        let other = try UserID(wire: request.userID, field: "userId")
        return answer(try await friendships.unblock(other, by: caller.userID, at: caller.now), to: caller)
    }

    func list(_ request: WireListFriends, from caller: Caller) async throws -> Answer<WireContent> {
        .reply(.friends(try await friends(request, of: caller.userID, for: caller.frame)))
    }

    func listRequests(_ request: WireListFriendRequests, from caller: Caller) async throws -> Answer<WireContent> {
        .reply(.friendRequests(try await requests(request, of: caller.userID, for: caller.frame)))
    }

    /// A page of a user's friends.
    func friends(
        _ request: some PagedRequest,
        of userID: UserID,
        for frame: FrameFormat
    ) async throws -> WireFriends {
        let asked = try PageRequest(request) { FriendCursor($0) }
        let page = try await friendships.list(of: userID, after: asked.cursor, limit: asked.limit)
        var capacity = FrameCapacity(frame)
        let (users, next) = capacity.fill(with: page, cursor: FriendCursor.init) { WireUserCard($0.card) }
        var reply = WireFriends()
        reply.users = users
        reply.cursor = next?.description ?? ""
        return reply
    }

    /// A page of the requests to and from a user, newest first; by default as many as a user may have pending. Both
    /// directions alternate, so that many of one do not hide the other.
    func requests(
        _ request: some PagedRequest,
        of userID: UserID,
        for frame: FrameFormat
    ) async throws -> WireFriendRequests {
        let asked = try PageRequest(request, unasked: Friendship.outgoingLimit) { FriendRequestCursor($0) }
        let requests = try await friendships.requests(of: userID, after: asked.cursor, limit: asked.limit)
        var reply = WireFriendRequests()
        var next = FriendRequestCursor(incoming: asked.cursor?.incoming, outgoing: asked.cursor?.outgoing)
        var capacity = FrameCapacity(frame)
        let (incoming, outgoing) = (requests.incoming.items, requests.outgoing.items)
        for index in 0..<max(incoming.count, outgoing.count) {
            if index < incoming.count {
                let card = WireUserCard(incoming[index].user)
                guard capacity.take(card) else { break }
                reply.incoming.append(card)
                next.incoming = incoming[index].place
            }
            if index < outgoing.count {
                let card = WireUserCard(outgoing[index].user)
                guard capacity.take(card) else { break }
                reply.outgoing.append(card)
                next.outgoing = outgoing[index].place
            }
        }
        let isLast =
            reply.incoming.count == incoming.count && requests.incoming.next == nil
            && reply.outgoing.count == outgoing.count && requests.outgoing.next == nil
        reply.cursor = isLast ? "" : next.description
        return reply
    }

    private func answer(_ outcome: Friendships.Outcome, to caller: Caller) -> Answer<WireContent> {
        .reply(.friendship(WireFriendship(outcome.friendship, seenBy: caller.userID, other: outcome.other)))
    }
}
