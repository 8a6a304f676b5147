import PromisedProtocol

/// What a step comes to: said by the model before, and by the server after.
enum Outcome: Hashable, Sendable {
    case refused(ErrorCode)
    case friendship(WireFriendshipState.Value)
    case promise(SeenPromise, overlaps: [Int])
    case done

    /// Whether two outcomes are the same but for what else was seen in a promise: what happens at the same time may be
    /// in the reply or not.
    func agrees(with other: Outcome) -> Bool {
        if case .promise = self, case .promise = other { return true }
        return self == other
    }
}
