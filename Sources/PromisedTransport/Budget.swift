/// A number of places shared by the service threads of one server.
final class Budget: Sendable {
    private let limit: Int
    private let taken = Guarded(0)

    /// `limit` free places.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many places are taken.
    var count: Int { taken.withLock { $0 } }

    /// Takes a place; false when there is none.
    func take() -> Bool {
        taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
    }

    /// Gives a place back.
    func give() { taken.withLock { $0 -= 1 } }
}
