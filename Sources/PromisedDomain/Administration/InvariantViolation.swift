package struct InvariantViolation: Hashable, Sendable {
    /// The check that found it: a short stable name.
    package var check: String
    /// The violation, with ids in hexadecimal, without names and positions.
    package var detail: String

    package init(check: String, detail: String) {
        self.check = check
        self.detail = detail
    }
}
