/// A nickname that an account is to have, with the form under which it is unique; the caller folds it.
public struct ChosenNickname: Hashable, Sendable {
    /// The nickname as it is shown.
    public var text: String
    /// The nickname folded.
    public var key: String

    /// A nickname with its folded form.
    public init(text: String, key: String) {
        self.text = text
        self.key = key
    }
}
