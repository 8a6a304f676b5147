extension FixBuffer {
    /// How many fixes may wait.
    public struct Limits: Hashable, Sendable {
        /// At most so many wait; beyond, the oldest are dropped.
        public var capacity: Int

        /// Limits; by default at most 500,000, about 80 MB.
        ///
        /// - Precondition: `capacity` is at least 1.
        public init(capacity: Int = 500_000) {
            precondition(capacity > 0, "A buffer holds something")
            self.capacity = capacity
        }
    }
}
