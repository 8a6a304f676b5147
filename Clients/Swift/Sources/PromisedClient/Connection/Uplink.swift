internal import Logging
internal import PromisedProtocol

/// The link to the server and what comes before it, the wait and the attempt; ``end()`` ends whichever is in progress.
struct Uplink: Sendable {
    private let codec: WireCodec
    private let log: Logger
    private var link: (any ClientLink)?
    /// Ends an attempt to connect.
    private var abandon: (@Sendable () -> Void)?
    /// Rung by ``end()`` alone, to end the wait between two attempts.
    let ending = Bell()

    init(codec: WireCodec, log: Logger) {
        self.codec = codec
        self.log = log
    }

    var isOpen: Bool { link != nil }

    // MARK: - Opening and closing

    /// An attempt begins; `abandon` cancels it.
    mutating func attempt(abandon: @escaping @Sendable () -> Void) { self.abandon = abandon }

    /// The attempt has ended.
    mutating func attempted() { abandon = nil }

    mutating func opened(_ link: some ClientLink) { self.link = link }

    mutating func closed() { link = nil }

    /// Begins to close the link, if there is one.
    func close(code: UInt16) { link?.close(code: code) }

    /// Ends the link, the attempt and the wait.
    func end() {
        close(code: 1_000)
        abandon?()
        ending.ring()
    }

    // MARK: - Frames

    /// - Returns: `false` if there is no link, or the request cannot be written.
    func send(_ request: WireRequest, id: UInt32) -> Bool {
        guard let link else { return false }
        do throws(WireError) {
            link.send(try codec.encode(WireClientFrame(id: id, request: request)))
            return true
        } catch {
            log.error("A request cannot be written", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Reads a frame; one that does not decode closes the link.
    func read(_ bytes: [UInt8]) -> WireServerFrame? {
        do throws(WireError) {
            return try codec.decodeServerFrame(bytes)
        } catch {
            log.error("The server sent a frame that does not decode", metadata: ["error": "\(error)"])
            close(code: CloseCode.malformedFrame.rawValue)
            return nil
        }
    }
}
