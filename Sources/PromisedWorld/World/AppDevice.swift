internal import PromisedClient
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedSimulation

/// The app of a story, its connections, and its knowledge from its feeds.
struct AppDevice: Sendable {
    /// The connections of the app begin here; those of the light clients stay below.
    static let firstConnection: ConnectionNumber = 1 << 32

    let app: FollowingApp
    private var lines: PhoneLines
    /// Its phone, which walks and makes positions.
    private(set) var phone: AppPhone
    private var links: [ConnectionNumber: AppLink] = [:]
    /// The last look at the app: its connection, and how many events each of its promises had.
    private var look: (connection: ConnectionNumber, events: [PromiseID: Int])?
    /// The names that it gave on its connections, and its readings of the last minutes.
    private var devices: [ConnectionNumber: DeviceKey] = [:]
    private var syncs: [ClockSync] = []
    /// The marks of the feeds, by promise.
    private(set) var marks: [String: FeedMark] = [:]

    /// An app that is not connected.
    ///
    /// - Parameter system: whose measured errors its phone makes, see ``AppPhone``.
    init(
        _ app: FollowingApp,
        quality: Story.Network,
        erringLike system: MeasuredPhone.System? = nil,
        seed: UInt64
    ) {
        self.app = app
        lines = PhoneLines(quality, seed: seed ^ 0x6170_70)
        phone = AppPhone(erringLike: system, seed: seed)
    }

    /// Lets its phone do something.
    mutating func withPhone<Value>(_ body: (inout AppPhone) -> Value) -> Value { body(&phone) }

    /// `true` once nothing is delayed for long or cut by chance any more.
    var isCalm: Bool {
        get { lines.isCalm }
        set { lines.isCalm = newValue }
    }

    /// `true` while a link is open.
    var isConnected: Bool { !links.isEmpty }

    // MARK: - Links

    /// A link is open. Returns the number of its connection.
    mutating func open(_ link: AppLink, at now: Instant) -> ConnectionNumber {
        let number = Self.firstConnection + lines.connect(0, at: now)
        links[number] = link
        return number
    }

    /// The connection of a link; nil once it is cut.
    func connection(of link: AppLink) -> ConnectionNumber? { links.first { $0.value === link }?.key }

    /// The connections that are open.
    var connections: [ConnectionNumber] { links.keys.sorted() }

    /// When a message sent now arrives; nil if it meets a cut.
    mutating func arrival(on connection: ConnectionNumber, isUp: Bool, at now: Instant) -> Instant? {
        guard links[connection] != nil else { return nil }
        return lines.arrival(on: connection - Self.firstConnection, isUp: isUp, at: now)
    }

    /// The connection is gone: whatever is sent from now on is lost.
    mutating func lose(_ connection: ConnectionNumber) { lines.cut(connection - Self.firstConnection) }

    /// A message arrives at the app, unless the connection was cut.
    func deliver(_ bytes: [UInt8], on connection: ConnectionNumber) { links[connection]?.receive(.message(bytes)) }

    /// The connection has ended: the library learns of it now.
    mutating func cut(_ connection: ConnectionNumber) {
        links.removeValue(forKey: connection)?.receive(.closed(code: 1_006))
    }

    /// A random time of at most this number of milliseconds.
    mutating func moment(upTo milliseconds: Int64) -> TimeSpan { lines.moment(upTo: milliseconds) }

    // MARK: - The server's side

    /// The app names its device on a connection.
    mutating func greet(as device: DeviceKey, on connection: ConnectionNumber) { devices[connection] = device }

    /// The device of a connection; nil before it was named.
    func device(on connection: ConnectionNumber) -> DeviceKey? { devices[connection] }

    /// The server has read the app's clocks.
    mutating func note(_ sync: ClockSync) { syncs.append(sync) }

    /// The readings of the last ten minutes, oldest first.
    func syncs(at now: Instant) -> [ClockSync] { syncs.filter { $0.receivedAt > now - .minutes(10) } }

    // MARK: - Feeds

    /// Looks at the app.
    ///
    /// - Parameter events: how many events each promise has that the app must know soon.
    /// - Returns: what it must know by now, because it has been connected since the last look; nothing if it has not.
    mutating func look(at events: [PromiseID: Int]) -> [PromiseID: Int] {
        let sound = links.keys.filter { lines.phone(on: $0 - Self.firstConnection) != nil }.max()
        defer { look = sound.map { ($0, events) } }
        guard let look, look.connection == sound else { return [:] }
        return look.events.filter { events[$0.key] != nil }
    }

    /// Forgets the last look: something has delayed the app since.
    mutating func forgetLook() { look = nil }

    /// A feed has told something. Throws if it is not what comes next.
    mutating func note(_ heard: FollowingApp.Heard) throws(Breach) {
        let (before, mark) = (marks[heard.promise], heard.notice.mark)
        switch heard.notice {
        case .snapshot:
            if let before, before.epoch == mark.epoch, mark.seq < before.seq {
                throw Breach(.events, "the app goes back from event \(before.seq) to \(mark.seq)")
            }
        case .event(let event, _):
            let expected = (before?.seq ?? 0) + (event.seq == 0 ? 0 : 1)
            guard before?.epoch == mark.epoch, mark.seq == expected, event.seq == 0 || event.seq == expected else {
                throw Breach(.events, "the app hears of event \(event.seq) after \(before?.seq ?? 0)")
            }
        }
        marks[heard.promise] = mark
    }
}
