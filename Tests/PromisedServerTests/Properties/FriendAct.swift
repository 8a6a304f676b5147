/// An act of one user towards another.
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
