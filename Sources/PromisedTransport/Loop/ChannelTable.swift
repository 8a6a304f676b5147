/// The connections of one service thread, with the limits that they share.
struct ChannelTable {
    /// Bytes and frames that wait to be sent on all connections.
    struct Survey: Equatable {
        var frames = 0
        var bytes = 0
        /// The most bytes that wait for one of them.
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

    /// How many there are.
    var count: Int { table.count }
    subscript(id: ConnectionID) -> Channel? { table[id] }

    /// The connection in a slot; nil when the slot is free or unknown.
    subscript(slot slot: Int) -> Channel? { table[slot: slot] }

    /// All connections as they are now, in the order of their slots.
    var all: some Sequence<Channel> { table.elements }

    /// A connection that begins at `instant`; nil when there is no slot for it.
    mutating func insert(at instant: LoopInstant) -> Channel? {
        let id = table.insert { id in
            Channel(id: id, limits: limits, terms: terms, outboxTotal: outboxes, at: instant)
        }
        return id.flatMap { table[$0] }
    }

    /// Frees the slot of a connection; false if it was freed before.
    mutating func remove(_ channel: Channel) -> Bool { table.remove(channel.id) != nil }

    /// The peer has signed in: lifts its deadline and allows messages of the full size.
    func admit(_ channel: Channel) {
        channel.deadlines.admitted()
        channel.input.admit(messageBytes: limits.messageBytes)
    }

    // MARK: - What waits for all of them

    /// `true` if more waits than all connections together may hold.
    var isOverfull: Bool { outboxes.bytes > limits.allOutboxBytes }

    /// `true` once an eighth of the shared limit is free.
    var isRelieved: Bool { outboxes.bytes <= limits.allOutboxBytes / 8 * 7 }

    /// The open connections with waiting frames, the fullest first. It looks at every connection.
    var fullest: [Channel] {
        all.filter { $0.state == .open && !$0.output.outbox.isEmpty }
            .sorted { $0.output.outbox.byteCount > $1.output.outbox.byteCount }
    }

    /// Adds up what waits. It looks at every connection.
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
