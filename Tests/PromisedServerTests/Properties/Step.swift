/// A user's request to the server, or elapsed time. Users, promises and codes are numbers, so that the model and the
/// server can perform the same steps.
enum Step: Hashable, Sendable {
    case friend(FriendAct, by: Int, with: Int)
    case create(PromiseSpecification, by: Int)
    case promise(PromiseAct, of: Int, by: Int)
    /// With an existing code; nil for an unknown one.
    case join(code: Int?, by: Int)
    case deleteAccount(by: Int)
    case wait(milliseconds: Int64)

    /// The requesting user; nil for elapsed time.
    var actor: Int? {
        switch self {
        case .friend(_, let actor, _), .create(_, let actor), .promise(_, _, let actor), .join(_, let actor),
            .deleteAccount(let actor):
            actor
        case .wait: nil
        }
    }
}
