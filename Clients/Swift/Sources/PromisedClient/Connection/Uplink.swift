internal import Logging
internal import PromisedProtocol

/// The link to the server, with the wait and the attempt before it; ``end()`` ends the one in progress.
struct Uplink: Sendable {
    private let codec: WireCodec
    private let log: Logger
    private var link: (any ClientLink)?
    /// Ends an attempt to connect.
    private var abandon: (@Sendable () -> Void)?
    /// Signalled by ``end()`` alone, to end the wait between two attempts.
    let ending = WakeSignal()

    init(codec: WireCodec, log: Logger) {
        self.codec = codec
        self.log = log
    }

    var isOpen: Bool { link != nil }

    // MARK: - Opening and closing

    /// Starts an attempt; `abandon` cancels it.
    mutating func attempt(abandon: @escaping @Sendable () -> Void) { self.abandon = abandon }
    mutating func attempted() { abandon = nil }
    mutating func opened(_ link: some ClientLink) { self.link = link }
    mutating func closed() { link = nil }

    /// Begins to close the link, if there is one.
    func close(code: UInt16) { link?.close(code: code) }

    /// Ends the link, the attempt and the wait.
    func end() {
        close(code: 1_000)
        abandon?()
        ending.signal()
    }

    // MARK: - Frames

    /// - Returns: `false` if there is no link, or the request cannot be written.
    func send(_ request: WireRequest, id: UInt32) -> Bool {
        guard let link else { return false }
        do throws(WireError) {
            link.send(try codec.encode(WireClientFrame(id: id, request: request)))
            return true
        } catch {
            log.error("A request cannot be encoded", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Decodes a frame; closes the link if that fails.
    func read(_ bytes: [UInt8]) -> WireServerFrame? {
        do throws(WireError) {
            return try codec.decodeServerFrame(bytes)
        } catch {
            log.error("The server sent a frame that cannot be decoded", metadata: ["error": "\(error)"])
            close(code: CloseCode.malformedFrame.rawValue)
            return nil
        }
    }
}

/// When to ping a silent server, and when to close its connection.
///
/// The first half of the silence passes without a ping, the second waits for the answer.
struct SilenceWatch: Sendable {
    enum Step: Hashable, Sendable {
        case wait(until: Duration)
        case ping
        /// Close the connection.
        case giveUp
    }

    private let half: Duration
    /// When the last bytes arrived over the current connection.
    private(set) var heardAt = Duration.zero
    /// When the last ping was sent, and the last arrival before it.
    private var ping: (sentAt: Duration, heardBefore: Duration)?

    /// - Parameter silence: how long the server may send nothing.
    init(silence: Duration) { half = silence / 2 }

    mutating func begin(at now: Duration) {
        heardAt = now
        ping = nil
    }

    /// Records that bytes arrived.
    mutating func heard(at now: Duration) { heardAt = now }

    /// The next step, which the caller must execute at once.
    mutating func next(at now: Duration) -> Step {
        if let ping, ping.heardBefore == heardAt {
            return now >= ping.sentAt + half ? .giveUp : .wait(until: ping.sentAt + half)
        }
        guard now >= heardAt + half else { return .wait(until: heardAt + half) }
        ping = (now, heardAt)
        return .ping
    }
}
