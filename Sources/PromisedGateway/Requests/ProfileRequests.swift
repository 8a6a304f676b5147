internal import PromisedApplication
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

/// The requests for accounts, profiles and statistics (domain §2 and §3).
struct ProfileRequests: Sendable {
    let profiles: Profiles

    func me(_ caller: Caller) async throws -> Answer<WireContent> { answer(try await profiles.me(caller.userID)) }

    func update(_ request: WireUpdateMe, from caller: Caller) async throws -> Answer<WireContent> {
        var changes = Profiles.Changes()
        if request.hasNickname { changes.nickname = request.nickname }
        if request.hasAvatar { changes.avatar = request.avatar }
        if request.hasLocale { changes.locale = request.locale }
        if request.hasTimeZone { changes.timeZone = request.timeZone }
        if request.hasVisitsFromArrivals { changes.visitsFromArrivals = request.visitsFromArrivals }
        if request.hasPictureFileID { changes.picture = try PictureChange(request.pictureFileID) }
        return answer(try await profiles.update(caller.userID, changes))
    }

    func find(_ request: WireFindUser, from caller: Caller) async throws -> Answer<WireContent> {
        .reply(.userCard(WireUserCard(try await profiles.find(request.nickname, by: caller.userID))))
    }

    /// Answers `getProfile`: for the caller, a friend or a fellow participant.
    func profile(_ request: WireGetProfile, from caller: Caller) async throws -> Answer<WireContent> {
        let userID = try UserID(wire: request.userID, field: "userId")
        let (card, statistics) = try await profiles.profile(of: userID, for: caller.userID)
        var reply = WireProfile()
        reply.user = WireUserCard(card)
        reply.statistics = WireStatistics(statistics)
        return .reply(.profile(reply))
    }

    /// Answers `getStatistics`, for the same users.
    func statistics(_ request: WireGetStatistics, from caller: Caller) async throws -> Answer<WireContent> {
        let userID = try UserID(wire: request.userID, field: "userId")
        let (_, statistics) = try await profiles.profile(of: userID, for: caller.userID)
        return .reply(.statistics(WireStatistics(statistics)))
    }

    private func answer(_ me: (account: Account, statistics: Statistics)) -> Answer<WireContent> {
        var reply = WireMe()
        reply.user = WireUserCard(me.account.card)
        reply.email = me.account.email ?? ""
        reply.locale = me.account.locale
        reply.timeZone = me.account.timeZone
        reply.statistics = WireStatistics(me.statistics)
        reply.visitsFromArrivals = me.account.visitsFromArrivals
        return .reply(.me(reply))
    }
}

extension PictureChange {
    /// A change as a request names it: empty removes the picture. Throws ``WireError/invalid(field:)`` for other texts
    /// than an id.
    fileprivate init(_ text: String) throws(WireError) {
        self = text.isEmpty ? .removed : .chosen(try PictureID(wire: text, field: "pictureFileId"))
    }
}
