import Testing

extension Tag {
    /// For suites that depend on real time: deadlines, a clock that runs fast, other processes. `scripts/test` runs them
    /// a few at once, after those that keep the processors busy.
    @Tag static var realTime: Self

    /// For suites that measure durations or need the whole machine. `scripts/test` runs each of them alone.
    @Tag static var alone: Self
}
