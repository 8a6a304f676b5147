internal import PromisedDomain
internal import PromisedEngine
internal import PromisedTransport
internal import PromisedWire

/// A request that may be answered: who asks, and through which connection.
struct Caller: Sendable {
    let connection: Connection
    let userID: UserID
    let signIn: SignInID
    /// When the request was received.
    let now: Instant
}

/// Sends each request to those who answer it, once it is clear who asks.
struct RequestRouter: Sendable {
    let accounts: AccountRequests
    let friends: FriendRequests
    let promises: PromiseRequests
    let live: LiveRequests

    /// The reply to a request; nil when it has been sent already.
    ///
    /// - Parameter id: the request's id; 0 when no reply is wanted.
    func reply(
        to request: WireRequest,
        of connection: Connection,
        id: UInt32,
        at now: Instant
    ) async throws(RequestError) -> WireContent? {
        switch request {
        case .hello(let hello): return try await accounts.hello(hello, connection, at: now)
        case .signUp(let signUp): return try await accounts.signUp(signUp, connection, at: now)
        case .signIn(let signIn): return try await accounts.signIn(signIn, connection, at: now)
        case .refresh(let refresh): return try await accounts.refresh(refresh, connection, at: now)
        default: break
        }
        guard let identity = connection.identity else { throw RequestError(.authRequired) }
        let caller = Caller(connection: connection, userID: identity.userID, signIn: identity.signIn, now: now)
        return try await reply(to: request, from: caller, id: id)
    }

    /// The connection has ended: nothing may be sent to it any more.
    func forget(_ connection: Connection) async {
        await live.forget(connection)
    }

    private func reply(
        to request: WireRequest,
        from caller: Caller,
        id: UInt32
    ) async throws(RequestError) -> WireContent? {
        switch request {
        case .report(let report): try await live.report(report, from: caller)
        case .syncClock(let sync): try live.syncClock(sync, from: caller)
        case .subscribe(let subscribe): try await live.subscribe(subscribe, from: caller, id: id)
        case .unsubscribe(let unsubscribe): try await live.unsubscribe(unsubscribe, from: caller)
        case .getResult(let result): try await live.getResult(result, from: caller)
        case .createPromise(let create): try await promises.create(create, from: caller)
        case .respond(let respond): try await promises.respond(respond, from: caller)
        case .getPromise(let get): try await promises.get(get, from: caller)
        case .listPromises(let list): try await promises.list(list, from: caller)
        case .cancelPromise(let cancel): try await promises.cancel(cancel, from: caller)
        case .leavePromise(let leave): try await promises.leave(leave, from: caller)
        case .requestFriend(let friend): try await friends.request(friend, from: caller)
        case .acceptFriend(let friend): try await friends.accept(friend, from: caller)
        case .rejectFriend(let friend): try await friends.reject(friend, from: caller)
        case .removeFriend(let friend): try await friends.remove(friend, from: caller)
        case .listFriends(let list): try await friends.list(list, from: caller)
        case .listFriendRequests(let list): try await friends.listRequests(list, from: caller)
        case .signOut: try await accounts.signOut(caller)
        case .hello, .signUp, .signIn, .refresh: nil
        case .changePassword, .deleteAccount, .getMe, .updateMe, .findUser, .getProfile, .cancelFriendRequest,
            .blockUser, .unblockUser, .updatePromise, .handOver, .createInvite, .revokeInvite, .joinByCode,
            .reportTrouble, .setSharing, .setStatus, .checkIn, .getCheckInCode, .nudge, .explainArrival,
            .getStatistics, .excuse, .admin:
            throw RequestError(.requestUnsupported)
        }
    }
}
