/// What somebody does about somebody else.
enum FriendAct: Hashable, Sendable, CaseIterable {
    case request
    case requestByName
    case cancel
    case accept
    case reject
    case remove
    case block
    case unblock
}
