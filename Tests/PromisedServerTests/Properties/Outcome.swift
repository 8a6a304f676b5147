import PromisedProtocol

/// The outcome of a step, as the model predicts it and as the server answers.
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
