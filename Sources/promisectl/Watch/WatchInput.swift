import PromisedClient

/// What a watch waits for.
enum WatchInput: Sendable {
    /// The client tells something.
    case notice(ClientNotice)
    /// The client is over.
    case ended
    /// Somebody asks the program to end.
    case interrupted(ExitStatus)
    /// The terminal has another size.
    case resized
}
