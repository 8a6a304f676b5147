/// Limits concurrent requests; the others wait in order.
actor RequestSlots {
    private var free: Int
    private let longestQueue: Int
    private var queue: [(id: Int, turn: AsyncStream<Void>.Continuation)] = []
    private var lastID = 0

    /// Slots for `count` requests at a time and a queue for `longestQueue` more.
    init(_ count: Int, longestQueue: Int) {
        free = count
        self.longestQueue = longestQueue
    }

    /// Waits for a slot. Call ``leave()`` once after each success.
    ///
    /// - Throws: ``OutsideError/busy`` when the queue is full, ``OutsideError/cancelled`` when the task is cancelled.
    func enter() async throws(OutsideError) {
        if free > 0 {
            free -= 1
            return
        }
        guard queue.count < longestQueue else { throw .busy }
        lastID += 1
        let id = lastID
        let (turns, turn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        queue.append((id, turn))
        for await _ in turns { return }
        // When the task is cancelled, the stream ends without a turn; a turn may have been given just then.
        if let index = queue.firstIndex(where: { $0.id == id }) {
            queue.remove(at: index)
        } else {
            leave()
        }
        throw .cancelled
    }

    /// Passes the slot to the next request in the queue.
    func leave() {
        guard !queue.isEmpty else {
            free += 1
            return
        }
        queue.removeFirst().turn.yield()
    }

    /// The number of waiting requests.
    var waiting: Int { queue.count }
}
