/// What a correct server never does, as a client can see it.
enum Violation: String, Hashable, Sendable, Codable, CaseIterable {
    /// A durable event's number does not follow the one before it on this subscription.
    case eventGap = "event-gap"
    /// Two subscribers were told different things under one number.
    case eventDiffers = "event-differs"
    /// A subscriber has not got the last durable event others got.
    case eventMissing = "event-missing"
    /// Something of a promise this connection did not subscribe to.
    case foreignPromise = "foreign-promise"
    /// A position or an arrival of somebody who has no part in the promise.
    case outsider = "outsider"
    /// A position older than the one shown before.
    case positionBackwards = "position-backwards"
    /// A position after the promise was cancelled or its window had ended.
    case positionAfterEnd = "position-after-end"
    /// Somebody arrived who had arrived.
    case secondArrival = "second-arrival"
    /// An arrival was confirmed, retracted or revised that there was not.
    case unknownArrival = "unknown-arrival"
    /// Ranks are not those of the credited times (domain §6.4).
    case wrongRank = "wrong-rank"
    /// A report that makes an arrival by the rule made none.
    case arrivalMissing = "arrival-missing"
}
