internal import PromisedDomain
internal import PromisedSimulation

/// All connections between phones and the server: each preserves the order of its messages, and any may be cut.
struct SimulatedNetwork: Sendable {
    private struct Line: Sendable {
        let phone: Int
        var lastUp: Instant
        var lastDown: Instant
        var isCut = false
    }

    private let quality: Story.Network
    private var random: SeededGenerator
    private var lines: [ConnectionNumber: Line] = [:]
    private var lastNumber: ConnectionNumber = 0
    /// `true` once long delays and random cuts have ended.
    var isCalm = false

    init(_ quality: Story.Network, seed: UInt64) {
        self.quality = quality
        random = SeededGenerator(seed: seed ^ 0x6E65_74)
    }

    /// Makes a connection. Returns its number.
    mutating func connect(_ phone: Int, at now: Instant) -> ConnectionNumber {
        lastNumber += 1
        lines[lastNumber] = Line(phone: phone, lastUp: now, lastDown: now)
        return lastNumber
    }

    /// The phone of a connection that is not cut.
    func phone(on connection: ConnectionNumber) -> Int? {
        guard let line = lines[connection], !line.isCut else { return nil }
        return line.phone
    }

    /// Cuts a connection: messages in transit are lost.
    mutating func cut(_ connection: ConnectionNumber) { lines[connection]?.isCut = true }

    mutating func cutAll() {
        for connection in lines.keys { lines[connection]?.isCut = true }
    }

    /// When a message sent now arrives; nil if a cut loses it.
    mutating func arrival(on connection: ConnectionNumber, isUp: Bool, at now: Instant) -> Instant? {
        guard var line = lines[connection], !line.isCut else { return nil }
        if !isCalm, quality.cutsOneIn > 0, Int.random(in: 0..<quality.cutsOneIn, using: &random) == 0 { return nil }
        let longest = isCalm ? 5 : quality.delayMs
        let arrival = now + .milliseconds(Int64.random(in: 0...longest, using: &random))
        if isUp { line.lastUp = max(line.lastUp, arrival) } else { line.lastDown = max(line.lastDown, arrival) }
        lines[connection] = line
        return isUp ? line.lastUp : line.lastDown
    }

    /// A random time of at most this number of milliseconds.
    mutating func moment(upTo milliseconds: Int64) -> TimeSpan {
        .milliseconds(Int64.random(in: 0...max(0, milliseconds), using: &random))
    }
}
