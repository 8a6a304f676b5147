/// Counts how often a wrong code is tried. An attempt counts while it is made, so that many at once are not more than the
/// limit; one that was right, or failed for another reason than its code, is given back.
package protocol WrongCodeCounting: Sendable {
    /// Who or what tries.
    associatedtype Key: Sendable

    /// Counts an attempt.
    ///
    /// - Returns: when it was made, for ``giveBack(_:_:)``.
    /// - Throws: when there were too many.
    func attempt(by key: Key) throws(TooManyAttempts) -> ContinuousClock.Instant

    /// Takes an attempt back.
    func giveBack(_ key: Key, _ instant: ContinuousClock.Instant)
}
