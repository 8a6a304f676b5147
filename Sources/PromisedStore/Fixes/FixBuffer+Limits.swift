extension FixBuffer {
    /// How many fixes may wait.
    public struct Limits: Hashable, Sendable {
        /// From so many on, a flush begins at once.
        public var flushCount: Int
        /// At most so many wait; beyond, the oldest are dropped.
        public var capacity: Int

        /// Limits; by default a flush at 20,000 and at most 500,000, about 80 MB.
        ///
        /// - Precondition: `flushCount` and `capacity` are at least 1.
        public init(flushCount: Int = 20_000, capacity: Int = 500_000) {
            precondition(flushCount > 0 && capacity > 0, "A buffer holds something")
            self.flushCount = flushCount
            self.capacity = capacity
        }
    }
}
