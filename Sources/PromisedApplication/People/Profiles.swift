package import PromisedAccess
package import PromisedDomain
package import PromisedPlaces
package import PromisedStore

/// Users' own accounts and each other's profiles (domain §2 and §3).
package struct Profiles: Sendable {
    private let store: AccountStore
    private let cards: UserCardCache
    private let throttles: AccountThrottles
    private let notifications: NotificationQueue

    package init(
        store: some HasAccounts,
        cards: UserCardCache,
        throttles: AccountThrottles,
        notifications: NotificationQueue
    ) {
        self.notifications = notifications
        self.store = store.accounts
        self.cards = cards
        self.throttles = throttles
    }

    /// The user's own account and statistics. Throws `invalidToken` if the account is no longer usable.
    package func me(_ userID: UserID) async throws -> (account: Account, statistics: Statistics) {
        guard let account = try await store.account(userID), account.isUsable else {
            throw ApplicationError.invalidToken
        }
        return (account, try await store.statistics(of: userID))
    }

    /// The language in which the server writes to a user. Throws `invalidToken` if the account does not exist.
    package func language(of userID: UserID) async throws -> BilingualName.Language {
        guard let account = try await store.account(userID) else { throw ApplicationError.invalidToken }
        return BilingualName.Language(locale: account.locale)
    }

    /// Changes to an account, as typed; nil keeps a value.
    package struct Changes: Sendable {
        package var nickname: String?
        package var avatar: String?
        package var locale: String?
        package var timeZone: String?
        package var visitsFromArrivals: Bool?
        package var picture: PictureChange?

        package init() {}

        fileprivate func checked() throws(TextProblem) -> AccountChanges {
            var changes = AccountChanges()
            if let nickname {
                let chosen = try Nickname(nickname)
                changes.nickname = ChosenNickname(text: chosen.text, key: chosen.key)
            }
            if let avatar { changes.avatar = try TextRule.avatar.clean(avatar) }
            if let locale { changes.locale = try LanguageTag.clean(locale) }
            if let timeZone { changes.timeZone = try TimeZoneName.clean(timeZone) }
            changes.visitsFromArrivals = visitsFromArrivals
            changes.picture = picture
            return changes
        }
    }

    /// Applies all changes, or none. A check for a taken nickname counts as a search. Throws `TextProblem`,
    /// `nicknameTaken`, `fileNotFound`, `TooManyAttempts`, `invalidToken`.
    package func update(
        _ userID: UserID,
        _ changes: Changes
    ) async throws -> (account: Account, statistics: Statistics) {
        if changes.nickname != nil { try throttles.find(by: userID) }
        switch try await store.changeAccount(userID, try changes.checked()) {
        case .gone: throw ApplicationError.invalidToken
        case .nicknameTaken: throw ApplicationError.refused(.nicknameTaken, field: "nickname")
        case .pictureUnknown: throw ApplicationError.refused(.fileNotFound, field: "pictureFileId")
        case .changed(let account):
            cards.update(account.card)
            if changes.timeZone != nil { notifications.timeZoneChanged(of: userID) }
            return (account, try await store.statistics(of: userID))
        }
    }

    /// Finds a user by exact nickname, unless that user blocks the caller. Throws `userNotFound`, `TooManyAttempts`.
    package func find(_ nickname: String, by userID: UserID) async throws -> UserCard {
        try throttles.find(by: userID)
        // A text that is not a valid key matches no user.
        guard let key = try? Nickname.key(lookedUp: nickname),
            let found = try await store.findUser(nicknameKey: key, seenBy: userID)
        else { throw Refusal.userNotFound }
        return found
    }

    /// The card and statistics of the user, a friend, or a fellow participant. Throws `userNotFound`.
    package func profile(
        of userID: UserID,
        for viewer: UserID
    ) async throws -> (card: UserCard, statistics: Statistics) {
        guard let card = try await store.profile(of: userID, seenBy: viewer) else { throw Refusal.userNotFound }
        return (card, try await store.statistics(of: card.id))
    }
}
