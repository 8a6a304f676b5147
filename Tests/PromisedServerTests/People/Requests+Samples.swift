import PromisedDomain
import PromisedProtocol

extension WireUpdateMe {
    static func sample(
        nickname: String? = nil,
        avatar: String? = nil,
        locale: String? = nil,
        timeZone: String? = nil
    ) -> WireUpdateMe {
        var request = WireUpdateMe()
        if let nickname { request.nickname = nickname }
        if let avatar { request.avatar = avatar }
        if let locale { request.locale = locale }
        if let timeZone { request.timeZone = timeZone }
        return request
    }
}

extension WireFindUser {
    static func named(_ nickname: String) -> WireFindUser {
        var request = WireFindUser()
        request.nickname = nickname
        return request
    }
}

extension WireGetProfile {
    static func of(_ userID: String) -> WireGetProfile {
        var request = WireGetProfile()
        request.userID = userID
        return request
    }
}

extension WireGetStatistics {
    static func of(_ userID: String) -> WireGetStatistics {
        var request = WireGetStatistics()
        request.userID = userID
        return request
    }
}

extension WireChangePassword {
    static func sample(_ old: String, _ new: String) -> WireChangePassword {
        var request = WireChangePassword()
        request.oldPassword = old
        request.newPassword = new
        return request
    }
}

extension WireDeleteAccount {
    static func sample(_ password: String) -> WireDeleteAccount {
        var request = WireDeleteAccount()
        request.password = password
        return request
    }
}

extension WireCancelFriendRequest {
    static func to(_ userID: String) -> WireCancelFriendRequest {
        var request = WireCancelFriendRequest()
        request.userID = userID
        return request
    }
}

extension WireRejectFriend {
    static func of(_ userID: String) -> WireRejectFriend {
        var request = WireRejectFriend()
        request.userID = userID
        return request
    }
}

extension WireBlockUser {
    static func of(_ userID: String) -> WireBlockUser {
        var request = WireBlockUser()
        request.userID = userID
        return request
    }
}

extension WireUnblockUser {
    static func of(_ userID: String) -> WireUnblockUser {
        var request = WireUnblockUser()
        request.userID = userID
        return request
    }
}

extension WireEvent.OneOf_What {
    var isFriendRemoved: Bool { if case .friendRemoved = self { true } else { false } }
    var isFriendRequested: Bool { if case .friendRequested = self { true } else { false } }
}
