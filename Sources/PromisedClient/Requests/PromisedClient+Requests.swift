public import PromisedWire

extension PromisedClient {
    /// Makes an account and signs in with it; the client keeps the session for coming back.
    public func signUp(email: String, password: String, nickname: String) async throws(ClientError) -> WireSession {
        var request = WireSignUp()
        request.email = email
        request.password = password
        request.nickname = nickname
        return try await signedIn(by: .signUp(request))
    }

    /// Signs in; the client keeps the session for coming back.
    public func signIn(email: String, password: String) async throws(ClientError) -> WireSession {
        var request = WireSignIn()
        request.email = email
        request.password = password
        return try await signedIn(by: .signIn(request))
    }

    /// Exchanges a refresh token for a session; the client keeps it for coming back.
    public func refresh(token: String) async throws(ClientError) -> WireSession {
        try await signedIn(by: .refresh(WireRefresh(token: token)))
    }

    /// Names program and device, and signs in when a token is given.
    public func hello(accessToken: String? = nil) async throws(ClientError) -> WireWelcome {
        guard case .welcome(let welcome) = try await call(.hello(hello(token: accessToken))) else {
            throw .unexpectedReply
        }
        return welcome
    }

    /// Asks somebody to be friends.
    public func requestFriend(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireRequestFriend()
        request.userID = userID
        return try await friendship(.requestFriend(request))
    }

    /// Accepts somebody's request.
    public func acceptFriend(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireAcceptFriend()
        request.userID = userID
        return try await friendship(.acceptFriend(request))
    }

    /// Makes a promise.
    public func createPromise(_ request: WireCreatePromise) async throws(ClientError) -> WirePromiseReply {
        try await promise(.createPromise(request))
    }

    /// Answers an invitation.
    public func respond(promiseID: String, accept: Bool) async throws(ClientError) -> WirePromiseReply {
        var request = WireRespond()
        request.promiseID = promiseID
        request.accept = accept
        return try await promise(.respond(request))
    }

    /// Reads a promise.
    public func getPromise(_ promiseID: String) async throws(ClientError) -> WirePromise {
        var request = WireGetPromise()
        request.promiseID = promiseID
        return try await promise(.getPromise(request)).promise
    }

    /// Subscribes to a promise's events.
    public func subscribe(promiseID: String) async throws(ClientError) -> WireSubscribed {
        var request = WireSubscribe()
        request.promiseID = promiseID
        guard case .subscribed(let reply) = try await call(.subscribe(request)) else { throw .unexpectedReply }
        return reply
    }

    /// Reports positions and waits for what became of them.
    public func report(_ request: WireReport) async throws(ClientError) -> WireReported {
        guard case .reported(let reply) = try await call(.report(request)) else { throw .unexpectedReply }
        return reply
    }

    /// Exchanges clocks.
    public func syncClock(_ request: WireSyncClock = WireSyncClock()) async throws(ClientError) -> WireClock {
        guard case .clock(let reply) = try await call(.syncClock(request)) else { throw .unexpectedReply }
        return reply
    }

    /// Reads the final table.
    public func getResult(promiseID: String) async throws(ClientError) -> WireResult {
        var request = WireGetResult()
        request.promiseID = promiseID
        guard case .result(let reply) = try await call(.getResult(request)) else { throw .unexpectedReply }
        return reply
    }

    private func signedIn(by request: WireRequest) async throws(ClientError) -> WireSession {
        guard case .session(let session) = try await call(request) else { throw .unexpectedReply }
        return session
    }

    private func friendship(_ request: WireRequest) async throws(ClientError) -> WireFriendship {
        guard case .friendship(let reply) = try await call(request) else { throw .unexpectedReply }
        return reply
    }

    private func promise(_ request: WireRequest) async throws(ClientError) -> WirePromiseReply {
        guard case .promise(let reply) = try await call(request) else { throw .unexpectedReply }
        return reply
    }
}
