import PromisedDomain
import PromisedProtocol
import PromisedWire
import SwiftProtobuf

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
        WireFindUser.with { $0.nickname = nickname }
    }
}

extension WireGetProfile {
    static func of(_ userID: String) -> WireGetProfile {
        WireGetProfile.with { $0.userID = userID }
    }
}

extension WireGetStatistics {
    static func of(_ userID: String) -> WireGetStatistics {
        WireGetStatistics.with { $0.userID = userID }
    }
}

extension WireChangePassword {
    static func sample(_ old: String, _ new: String) -> WireChangePassword {
        WireChangePassword.with {
            $0.oldPassword = old
            $0.newPassword = new
        }
    }
}

extension WireDeleteAccount {
    static func sample(_ password: String) -> WireDeleteAccount {
        WireDeleteAccount.with { $0.password = password }
    }
}

extension WireCancelFriendRequest {
    static func to(_ userID: String) -> WireCancelFriendRequest {
        WireCancelFriendRequest.with { $0.userID = userID }
    }
}

extension WireRejectFriend {
    static func of(_ userID: String) -> WireRejectFriend {
        WireRejectFriend.with { $0.userID = userID }
    }
}

extension WireBlockUser {
    static func of(_ userID: String) -> WireBlockUser {
        WireBlockUser.with { $0.userID = userID }
    }
}

extension WireUnblockUser {
    static func of(_ userID: String) -> WireUnblockUser {
        WireUnblockUser.with { $0.userID = userID }
    }
}

extension WireEvent.OneOf_What {
    var isFriendRemoved: Bool { if case .friendRemoved = self { true } else { false } }
    var isFriendRequested: Bool { if case .friendRequested = self { true } else { false } }
}
