import Testing

extension Tag {
    /// For suites that measure how long something takes, or need the whole machine. `scripts/test` runs nothing else beside
    /// such a suite.
    @Tag static var alone: Self
}
