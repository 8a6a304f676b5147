extension Duration {
    /// A time that no test waits for: it tells a deadline apart from other sleepers of a manual clock.
    static let beyondAnyTest = Duration.seconds(54_321)
}
