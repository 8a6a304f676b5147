import PromisedProtocol

/// The outcome of a step, as the model predicts it and as the server answers.
enum Outcome: Hashable, Sendable {
    case refused(ErrorCode)
    case friendship(WireFriendshipState.Value)
    case promise(SeenPromise, overlaps: [Int])
    case done

    /// `true` if two outcomes are the same except for the contents of a promise: the reply may or may not show acts of
    /// the same time.
    func agrees(with other: Outcome) -> Bool {
        if case .promise = self, case .promise = other { return true }
        return self == other
    }
}
