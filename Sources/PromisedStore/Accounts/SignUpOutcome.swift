/// What became of a sign-up.
public enum SignUpOutcome: Hashable, Sendable {
    /// The account is there.
    case created
    /// Another account has this address; nothing was written.
    case emailTaken
    /// Another account has this nickname; nothing was written.
    case nicknameTaken
}
