/// The connections of one service thread, with their shared limits.
struct ChannelTable {
    /// Bytes and frames queued to be sent on all connections.
    struct Survey: Equatable {
        var frames = 0
        var bytes = 0
        /// The most bytes queued for one connection.
        var largest = 0
    }

    private var table: ConnectionTable<Channel>
    private let limits: ConnectionLimits
    private let terms: Shared<DeadlineTerms>
    private let outboxes = OutboxTotal()

    init(thread: Int, limits: ConnectionLimits, timing: ConnectionTiming) {
        table = ConnectionTable(thread: UInt8(thread))
        self.limits = limits
        terms = Shared(DeadlineTerms(timing))
    }

    // MARK: - Connections

    var count: Int { table.count }
    subscript(id: ConnectionID) -> Channel? { table[id] }

    /// The connection in a slot; nil if the slot is free or unknown.
    subscript(slot slot: Int) -> Channel? { table[slot: slot] }

    /// A snapshot of all connections, in the order of their slots.
    var all: some Sequence<Channel> { table.elements }

    /// Creates a connection that begins at `instant`; nil if there is no free slot.
    mutating func insert(at instant: LoopInstant) -> Channel? {
        let id = table.insert { id in
            Channel(id: id, limits: limits, terms: terms, outboxTotal: outboxes, at: instant)
        }
        return id.flatMap { table[$0] }
    }

    /// Frees the slot of a connection; `false` if it was already free.
    mutating func remove(_ channel: Channel) -> Bool { table.remove(channel.id) != nil }

    /// Lifts the deadline of a peer that has signed in, and allows messages of the full size.
    func admit(_ channel: Channel) {
        channel.deadlines.admitted()
        channel.input.admit(messageBytes: limits.messageBytes)
    }

    // MARK: - What waits for all of them

    /// `true` if the queued bytes exceed the shared limit.
    var isOverfull: Bool { outboxes.bytes > limits.allOutboxBytes }

    /// `true` once an eighth of the shared limit is free.
    var isRelieved: Bool { outboxes.bytes <= limits.allOutboxBytes / 8 * 7 }

    /// The open connections with queued frames, fullest first. Visits every connection.
    var fullest: [Channel] {
        all.filter { $0.state == .open && !$0.output.outbox.isEmpty }
            .sorted { $0.output.outbox.byteCount > $1.output.outbox.byteCount }
    }

    /// Sums up the queued data. Visits every connection.
    func survey() -> Survey {
        var survey = Survey()
        for channel in all {
            survey.frames += channel.output.outbox.frameCount
            survey.bytes += channel.output.outbox.byteCount
            survey.largest = max(survey.largest, channel.output.outbox.byteCount)
        }
        return survey
    }
}
