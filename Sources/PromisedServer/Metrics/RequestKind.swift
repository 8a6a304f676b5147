internal import PromisedProtocol

/// What a request asks for: a label of metrics. The names are those of the schema.
enum RequestKind: String, CaseIterable, Sendable {
    case report, syncClock, subscribe, unsubscribe, hello, signUp, signIn, refresh, signOut, changePassword,
        deleteAccount, getMe, updateMe, findUser, getProfile, listFriends, listFriendRequests, requestFriend,
        cancelFriendRequest, acceptFriend, rejectFriend, removeFriend, blockUser, unblockUser, createPromise,
        updatePromise, cancelPromise, leavePromise, handOver, respond, createInvite, revokeInvite, joinByCode,
        getPromise, listPromises, reportTrouble, setSharing, setStatus, checkIn, getCheckInCode, nudge, getResult,
        explainArrival, getStatistics, excuse, admin, createViewLink, revokeViewLink, setLinkSharing, watchByLink,
        exchangeCode
    /// A request that this version does not know.
    case unknown

    /// The kind of a request; nil stands for one that is not known.
    init(_ request: WireRequest?) {
        self =
            switch request {
            case .report: .report
            case .syncClock: .syncClock
            case .subscribe: .subscribe
            case .unsubscribe: .unsubscribe
            case .hello: .hello
            case .signUp: .signUp
            case .signIn: .signIn
            case .refresh: .refresh
            case .signOut: .signOut
            case .changePassword: .changePassword
            case .deleteAccount: .deleteAccount
            case .getMe: .getMe
            case .updateMe: .updateMe
            case .findUser: .findUser
            case .getProfile: .getProfile
            case .listFriends: .listFriends
            case .listFriendRequests: .listFriendRequests
            case .requestFriend: .requestFriend
            case .cancelFriendRequest: .cancelFriendRequest
            case .acceptFriend: .acceptFriend
            case .rejectFriend: .rejectFriend
            case .removeFriend: .removeFriend
            case .blockUser: .blockUser
            case .unblockUser: .unblockUser
            case .createPromise: .createPromise
            case .updatePromise: .updatePromise
            case .cancelPromise: .cancelPromise
            case .leavePromise: .leavePromise
            case .handOver: .handOver
            case .respond: .respond
            case .createInvite: .createInvite
            case .revokeInvite: .revokeInvite
            case .joinByCode: .joinByCode
            case .getPromise: .getPromise
            case .listPromises: .listPromises
            case .reportTrouble: .reportTrouble
            case .setSharing: .setSharing
            case .setStatus: .setStatus
            case .checkIn: .checkIn
            case .getCheckInCode: .getCheckInCode
            case .nudge: .nudge
            case .getResult: .getResult
            case .explainArrival: .explainArrival
            case .getStatistics: .getStatistics
            case .excuse: .excuse
            case .admin: .admin
            case .createViewLink: .createViewLink
            case .revokeViewLink: .revokeViewLink
            case .setLinkSharing: .setLinkSharing
            case .watchByLink: .watchByLink
            case .exchangeCode: .exchangeCode
            case nil: .unknown
            }
    }
}
