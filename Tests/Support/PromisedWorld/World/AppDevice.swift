internal import PromisedClient
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedSimulation

/// The app of a story, its connections, and its knowledge from its feeds.
struct AppDevice: Sendable {
    /// The first connection number of the app; those of the light clients are smaller.
    static let firstConnection: ConnectionNumber = 1 << 32

    let app: FollowingApp
    private var lines: SimulatedNetwork
    /// Its phone, which walks and makes positions.
    private(set) var phone: AppPhone
    private var links: [ConnectionNumber: AppLink] = [:]
    /// The last check of the app: its connection, and the number of events of each of its promises.
    private var look: (connection: ConnectionNumber, events: [PromiseID: Int])?
    /// The marks of the feeds, by promise.
    private(set) var marks: [String: FeedMark] = [:]

    /// Creates an app that is not connected.
    ///
    /// - Parameter system: whose measured errors its phone makes, see ``AppPhone``.
    init(
        _ app: FollowingApp,
        quality: Story.Network,
        erringLike system: MeasuredPhone.System? = nil,
        seed: UInt64
    ) {
        self.app = app
        lines = SimulatedNetwork(quality, seed: seed ^ 0x6170_70)
        phone = AppPhone(erringLike: system, seed: seed)
    }

    /// Runs `body` on its phone.
    mutating func withPhone<Value>(_ body: (inout AppPhone) -> Value) -> Value { body(&phone) }

    /// `true` once long delays and random cuts have ended.
    var isCalm: Bool {
        get { lines.isCalm }
        set { lines.isCalm = newValue }
    }

    /// `true` while a link is open.
    var isConnected: Bool { !links.isEmpty }

    // MARK: - Links

    /// Opens a link. Returns the number of its connection.
    mutating func open(_ link: AppLink, at now: Instant) -> ConnectionNumber {
        let number = Self.firstConnection + lines.connect(0, at: now)
        links[number] = link
        return number
    }

    /// The connection of a link; nil once it is cut.
    func connection(of link: AppLink) -> ConnectionNumber? { links.first { $0.value === link }?.key }

    var connections: [ConnectionNumber] { links.keys.sorted() }

    /// When a message sent now arrives; nil if a cut loses it.
    mutating func arrival(on connection: ConnectionNumber, isUp: Bool, at now: Instant) -> Instant? {
        guard links[connection] != nil else { return nil }
        return lines.arrival(on: connection - Self.firstConnection, isUp: isUp, at: now)
    }

    /// Cuts the connection: anything sent from now on is lost.
    mutating func lose(_ connection: ConnectionNumber) { lines.cut(connection - Self.firstConnection) }

    /// Delivers a message to the app, unless the connection was cut.
    func deliver(_ bytes: [UInt8], on connection: ConnectionNumber) { links[connection]?.receive(.message(bytes)) }

    /// Notifies the library of the end of the connection.
    ///
    /// - Parameter code: the server's close code.
    mutating func cut(_ connection: ConnectionNumber, code: UInt16 = 1_006) {
        links.removeValue(forKey: connection)?.receive(.closed(code: code))
    }

    /// A random time of at most this number of milliseconds.
    mutating func moment(upTo milliseconds: Int64) -> TimeSpan { lines.moment(upTo: milliseconds) }

    // MARK: - Feeds

    /// Checks the app.
    ///
    /// - Parameter events: the number of events of each promise that the app must know soon.
    /// - Returns: the events that it must know by now, if it has been connected since the last check.
    mutating func look(at events: [PromiseID: Int]) -> [PromiseID: Int] {
        let sound = links.keys.filter { lines.phone(on: $0 - Self.firstConnection) != nil }.max()
        defer { look = sound.map { ($0, events) } }
        guard let look, look.connection == sound else { return [:] }
        return look.events.filter { events[$0.key] != nil }
    }

    /// Discards the last check: something has delayed the app since.
    mutating func forgetLook() { look = nil }

    /// Records a notice of a feed. Throws if it is out of order.
    mutating func note(_ heard: FollowingApp.Heard) throws(Violation) {
        let (before, mark) = (marks[heard.promise], heard.notice.mark)
        switch heard.notice {
        case .snapshot:
            if let before, before.epoch == mark.epoch, mark.seq < before.seq {
                throw Violation(.events, "the app goes back from event \(before.seq) to \(mark.seq)")
            }
        case .event(let event, _):
            let expected = (before?.seq ?? 0) + (event.seq == 0 ? 0 : 1)
            guard before?.epoch == mark.epoch, mark.seq == expected, event.seq == 0 || event.seq == expected else {
                throw Violation(.events, "the app hears of event \(event.seq) after \(before?.seq ?? 0)")
            }
        }
        marks[heard.promise] = mark
    }
}
