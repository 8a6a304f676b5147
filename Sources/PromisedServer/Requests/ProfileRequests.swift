internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// What people are shown of themselves and of each other (domain §2 and §3).
struct ProfileRequests: Sendable {
    let store: Store
    let cards: CardBook
    let throttles: AccountThrottles

    /// Answers `getMe`.
    func me(_ caller: Caller) async throws(RequestError) -> WireContent? {
        let account = try await RequestError.stored { () async throws(StoreError) in
            try await store.account(caller.userID)
        }
        guard let account, account.isUsable else { throw RequestError(.authTokenInvalid) }
        return try await me(account)
    }

    /// Answers `updateMe`: all that is asked for, or nothing. Whether a nickname is taken is told as often as a search
    /// tells whether it exists.
    func update(_ request: WireUpdateMe, from caller: Caller) async throws(RequestError) -> WireContent? {
        if request.hasNickname {
            try RequestError.limited { () throws(TooManyAttempts) in try throttles.find(by: caller.userID) }
        }
        let changes = try Self.changes(request)
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.changeAccount(caller.userID, changes)
        }
        switch outcome {
        case .gone: throw RequestError(.authTokenInvalid)
        case .nicknameTaken: throw RequestError(.userNicknameTaken, field: "nickname")
        case .changed(let account):
            cards.update(account.card)
            return try await me(account)
        }
    }

    /// Answers `findUser`: anybody finds anybody by exact nickname, but nobody those who block them.
    func find(_ request: WireFindUser, from caller: Caller) async throws(RequestError) -> WireContent? {
        try RequestError.limited { () throws(TooManyAttempts) in try throttles.find(by: caller.userID) }
        // A text that can't be looked up is nobody's name.
        guard let key = try? Nickname.key(lookedUp: request.nickname) else { throw RequestError(.userNotFound) }
        let found = try await RequestError.stored { () async throws(StoreError) in
            try await store.findUser(nicknameKey: key, seenBy: caller.userID)
        }
        guard let found else { throw RequestError(.userNotFound) }
        return .userCard(WireUserCard(found))
    }

    /// Answers `getProfile`: the caller's own, a friend's, a fellow participant's.
    func profile(_ request: WireGetProfile, from caller: Caller) async throws(RequestError) -> WireContent? {
        let card = try await visibleCard(request.userID, to: caller)
        var reply = WireProfile()
        reply.user = WireUserCard(card)
        reply.statistics = WireStatistics(try await statistics(of: card.id))
        return .profile(reply)
    }

    /// Answers `getStatistics`, for the same people.
    func statistics(_ request: WireGetStatistics, from caller: Caller) async throws(RequestError) -> WireContent? {
        let card = try await visibleCard(request.userID, to: caller)
        return .statistics(WireStatistics(try await statistics(of: card.id)))
    }

    // MARK: - Parts

    private static func changes(_ request: WireUpdateMe) throws(RequestError) -> AccountChanges {
        do throws(TextProblem) {
            var changes = AccountChanges()
            if request.hasNickname {
                let nickname = try Nickname(request.nickname)
                changes.nickname = ChosenNickname(text: nickname.text, key: nickname.key)
            }
            if request.hasAvatar { changes.avatar = try TextRule.avatar.clean(request.avatar) }
            if request.hasLocale { changes.locale = try LanguageTag.clean(request.locale) }
            if request.hasTimeZone { changes.timeZone = try TimeZoneName.clean(request.timeZone) }
            return changes
        } catch {
            throw RequestError(error)
        }
    }

    private func me(_ account: Account) async throws(RequestError) -> WireContent {
        var reply = WireMe()
        reply.user = WireUserCard(account.card)
        reply.email = account.email ?? ""
        reply.locale = account.locale
        reply.timeZone = account.timeZone
        reply.statistics = WireStatistics(try await statistics(of: account.id))
        return .me(reply)
    }

    private func visibleCard(_ text: String, to caller: Caller) async throws(RequestError) -> UserCard {
        let userID = try RequestError.userID(text)
        let card = try await RequestError.stored { () async throws(StoreError) in
            try await store.profile(of: userID, seenBy: caller.userID)
        }
        guard let card else { throw RequestError(.userNotFound) }
        return card
    }

    private func statistics(of userID: UserID) async throws(RequestError) -> Statistics {
        try await RequestError.stored { () async throws(StoreError) in try await store.statistics(of: userID) }
    }
}
