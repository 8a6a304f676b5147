internal import PromisedProtocol

extension ReportingPlan {
    /// Follows an event's advice when to report.
    ///
    /// - Parameter userID: the user who reports; empty when unknown.
    mutating func heard(_ event: WireEvent, of userID: String, at now: Duration) {
        let promise = event.promiseID
        switch event.what {
        case .positions(let positions): self.positions(promise, nextReportMs: positions.nextReportMs, at: now)
        case .pace(let pace): self.pace(promise, nextReportMs: pace.nextReportMs, at: now)
        case .trackingStarted: start(promise, at: now)
        case .trackingEnded, .cancelled, .resultFinal: stop(promise)
        case .sharingChanged(let change) where change.userID == userID: sharing(promise, on: change.on, at: now)
        case .left(let left) where left.user.userID == userID: stop(promise)
        case .removed(let removed) where removed.user.userID == userID: stop(promise)
        default: break
        }
    }

    /// The user shows or hides their position.
    mutating func sharing(_ promise: String, on: Bool, at now: Duration) {
        if on { start(promise, at: now) } else { stop(promise) }
    }
}
