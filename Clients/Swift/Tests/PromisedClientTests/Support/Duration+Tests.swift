extension Duration {
    /// A time that no test reaches; it distinguishes a deadline from other sleepers of a manual clock.
    static let beyondAnyTest = Duration.seconds(54_321)
}
