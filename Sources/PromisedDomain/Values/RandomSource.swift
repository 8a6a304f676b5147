/// The generator of ids, tokens and codes.
///
/// A server uses ``system``; a simulation uses one with a seed, so that it produces the same ids again.
package struct RandomSource: RandomNumberGenerator, Sendable {
    private let draw: @Sendable () -> UInt64

    /// The system's generator, which is cryptographically secure.
    package static let system = RandomSource {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// A source that draws from a function. `draw` returns the next number; it is called concurrently from any thread.
    package init(_ draw: @escaping @Sendable () -> UInt64) { self.draw = draw }

    package func next() -> UInt64 { draw() }
}
