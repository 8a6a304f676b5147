internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

/// What administrators see of accounts.
struct UserAdministration: Sendable {
    /// At most so many names are suggested.
    static let suggestionLimit = 5
    /// So many nicknames of the same first letter are compared at most.
    private static let comparisonLimit = 10_000

    let store: Store
    let accounts: AccountRequests
    let deletions: DeletionRequests

    /// Answers `findUsers`.
    func find(_ request: WireAdminFindUsers, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let key = try Self.key(request.name, field: "name")
        guard !key.isEmpty else { throw RequestError(.requestInvalid, field: "name") }
        let found = try await RequestError.stored { () async throws(StoreError) in
            if let id = UserID(key) {
                return try await store.administeredAccount(id, at: caller.now).map { [$0] } ?? []
            }
            return try await store.accounts(named: key, at: caller.now)
        }
        var reply = WireAdminUsers()
        reply.users = found.map { wire($0) }
        if found.isEmpty { reply.suggestions = try await suggestions(for: key) }
        return .users(reply)
    }

    /// Answers `listUsers`.
    func list(_ request: WireAdminListUsers, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let cursor = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { FriendCursor($0) }
        let limit = try PageRequest.limit(request.hasLimit ? request.limit : nil)
        let text = request.hasText ? try Self.key(request.text, field: "text") : ""
        let page = try await RequestError.stored { () async throws(StoreError) in
            try await store.accounts(
                containing: text.isEmpty ? nil : text,
                onlyDisabled: request.disabled,
                at: caller.now,
                after: cursor,
                limit: limit
            )
        }
        var reply = WireAdminUsers()
        reply.users = page.items.map { wire($0) }
        reply.cursor = page.next?.description ?? ""
        return .users(reply)
    }

    /// Answers `showUser`, also of an account that was deleted.
    func show(_ request: WireAdminShowUser, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        .user(try await user(try RequestError.userID(request.userID), at: caller.now))
    }

    /// The number of sign-ins shown, newest first. More of them, together with all connections that the settings allow,
    /// could exceed a frame.
    static let signInsShown = 200

    /// Answers `listUserSessions`.
    func listSessions(
        _ request: WireAdminListUserSessions,
        from caller: AdminCaller
    ) async throws(RequestError) -> AdminReply {
        let id = try RequestError.userID(request.userID)
        _ = try await account(id, at: caller.now)
        let signIns = try await RequestError.stored { () async throws(StoreError) in
            try await store.openSignIns(of: id, at: caller.now)
        }
        var reply = WireAdminUserSessions()
        reply.signIns = signIns.prefix(Self.signInsShown).map { WireAdminSignIn($0) }
        reply.connections = accounts.connections.connections(of: id).reversed().map { WireAdminConnection($0) }
        return .userSessions(reply)
    }

    // MARK: - Parts

    /// The key of a text that accounts are looked for by.
    ///
    /// - Throws: `request.invalid`.
    private static func key(_ text: String, field: String) throws(RequestError) -> String {
        try RequestError.checked { () throws(TextProblem) in
            try TextWeight.check(text, of: field, longest: TextWeight.name)
            return Nickname.key(for: String(text.prefix(EmailAddress.longest)))
        }
    }

    /// The id of an account, deleted or not.
    ///
    /// - Throws: `user.not-found`, `request.invalid`.
    func knownID(_ text: String, at now: Instant) async throws(RequestError) -> UserID {
        try await account(try RequestError.userID(text), at: now).account.id
    }

    /// The id of an account that is neither deleted nor being deleted.
    ///
    /// - Throws: `user.not-found`, `request.invalid`.
    func livingID(
        _ text: String,
        field: String = "userId",
        at now: Instant
    ) async throws(RequestError) -> UserID {
        let id = try RequestError.wrap { () throws(WireError) in try UserID(wire: text, field: field) }
        let account = try await RequestError.stored { () async throws(StoreError) in try await store.account(id) }
        guard let account, account.deletedAt == nil, account.deletingAt == nil else {
            throw RequestError(.userNotFound, field: field)
        }
        return id
    }

    /// An account with its statistics, as it is now.
    func user(_ id: UserID, at now: Instant) async throws(RequestError) -> WireAdminUser {
        var user = wire(try await account(id, at: now))
        let statistics = try await RequestError.stored { () async throws(StoreError) in
            try await store.statistics(of: id)
        }
        user.statistics = WireStatistics(statistics)
        return user
    }

    /// An account, deleted or not.
    ///
    /// - Throws: `user.not-found`.
    func account(_ id: UserID, at now: Instant) async throws(RequestError) -> AdministeredAccount {
        let account = try await RequestError.stored { () async throws(StoreError) in
            try await store.administeredAccount(id, at: now)
        }
        guard let account else { throw RequestError(.userNotFound, field: "userId") }
        return account
    }

    private func wire(_ account: AdministeredAccount) -> WireAdminUser {
        WireAdminUser(
            account,
            issuer: account.isExternal ? accounts.settings.auth.issuer.name ?? "outside" : "",
            connections: accounts.connections.connections(of: account.account.id).count
        )
    }

    /// Names that contain the text, then nicknames that differ from it in a letter or two.
    private func suggestions(for key: String) async throws(RequestError) -> [String] {
        let (containing, near) = try await RequestError.stored { () async throws(StoreError) in
            (
                try await store.names(containing: key, limit: Self.suggestionLimit),
                try await store.nicknames(beginningWith: String(key.prefix(1)), limit: Self.comparisonLimit)
            )
        }
        guard containing.count < Self.suggestionLimit else { return containing }
        let alike = near.map { (name: $0.text, distance: EditDistance.between(key, $0.key)) }
            .filter { $0.distance <= 2 && !containing.contains($0.name) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return containing + alike.map(\.name).prefix(Self.suggestionLimit - containing.count)
    }
}
