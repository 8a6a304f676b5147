import Testing

extension Tag {
    /// For suites that measure durations or need the whole machine. `scripts/test` runs each of them alone.
    @Tag static var alone: Self
}
