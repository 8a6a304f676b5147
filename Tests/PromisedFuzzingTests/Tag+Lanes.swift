import Testing

extension Tag {
    /// For suites that depend on real time: deadlines, sockets, other processes. `scripts/test` runs them a few at once,
    /// after those that keep the processors busy.
    @Tag static var realTime: Self
}
