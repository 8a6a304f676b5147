/// The kinds of sign-in that a request accepts, as declared in the schema (`Sender` in proto/promised/options.proto).
package struct RequestSenders: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Not signed in.
    package static let stranger = RequestSenders(rawValue: 1 << 0)
    /// Signed in as a user.
    package static let user = RequestSenders(rawValue: 1 << 1)
    /// Signed in with an administrator's token.
    package static let administrator = RequestSenders(rawValue: 1 << 2)
    /// Watching by the link of a promise, without an account.
    package static let viewer = RequestSenders(rawValue: 1 << 3)
}
