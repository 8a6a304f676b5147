internal import PromisedDomain

/// When a session wants to be woken.
struct SessionWake: Sendable {
    let id: PromiseID
    let instant: Instant
}
