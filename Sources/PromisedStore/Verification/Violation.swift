/// Something that must always hold, and does not.
public struct Violation: Hashable, Sendable {
    /// Which check found it: a short stable name.
    public var check: String
    /// What is wrong, with ids in hexadecimal; holds no name and no position.
    public var detail: String

    /// A violation found by a check.
    public init(check: String, detail: String) {
        self.check = check
        self.detail = detail
    }
}
