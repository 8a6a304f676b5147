import ArgumentParser
import PromisedProtocol
import PromisedWire

/// The amount, kind and length of the load.
struct LoadOptions: ParsableArguments {
    /// The most connections per process, within the usual limit of 20,000 open files.
    static let connectionsPerProcess = 19_500

    @Option(help: "The number of phones that connect.") var connections = 1_000
    @Option(help: "The number of participants in a promise.") var members = 10
    @Option(help: "The time between two reports of a phone.") var period = DurationArgument(.seconds(5))

    @Option(help: "When phones report: in the slots that the server assigns, or at random times.")
    var phase = LoadPlan.Phase.slots

    @Option(help: "The encoding of messages: json or protobuf.") var codec = "protobuf"
    @Option(help: "The time to measure.") var duration = DurationArgument(.seconds(60))
    @Option(help: "The time that the load runs before measuring begins.") var warmUp = DurationArgument(.seconds(10))
    @Option(help: "The arrivals per second while measuring.") var arrivePerSecond = 0.0
    @Option(help: "The percentage of connections to cut and resume per minute.") var cutPercent = 0.0
    @Option(help: "The promises to cancel per minute.") var cancelPerMinute = 0.0
    @Option(help: "The connections to open at the same time.") var connectsAtOnce = 64

    @Option(help: "The processes that share the connections; default: as the limit of open files requires.")
    var processes: Int?

    func validate() throws {
        guard (1...200_000).contains(connections) else { throw ValidationError("--connections must be 1 to 200000") }
        guard (1...50).contains(members) else { throw ValidationError("--members must be 1 to 50") }
        guard (.milliseconds(100)...(.seconds(60))).contains(period.duration) else {
            throw ValidationError("--period must be 100ms to 60s")
        }
        guard WireCodec(rawValue: codec) != nil else { throw ValidationError("--codec must be json or protobuf") }
        guard duration.duration >= .seconds(1), duration.duration <= .seconds(7_200) else {
            throw ValidationError("--duration must be 1s to 2h")
        }
        guard warmUp.duration <= .seconds(600) else { throw ValidationError("--warm-up must be at most 10m") }
        guard (0...1_000).contains(arrivePerSecond) else {
            throw ValidationError("--arrive-per-second must be 0 to 1000")
        }
        guard (0...100).contains(cutPercent) else { throw ValidationError("--cut-percent must be 0 to 100") }
        guard (0...10_000).contains(cancelPerMinute) else {
            throw ValidationError("--cancel-per-minute must be 0 to 10000")
        }
        guard (1...1_000).contains(connectsAtOnce) else {
            throw ValidationError("--connects-at-once must be 1 to 1000")
        }
        if let processes, !(1...64).contains(processes) { throw ValidationError("--processes must be 1 to 64") }
    }

    /// How many processes share the phones.
    ///
    /// - Parameter others: connections of this process in addition to the phones.
    func processCount(background others: Int) -> Int {
        processes ?? (connections + others + Self.connectionsPerProcess - 1) / Self.connectionsPerProcess
    }

    /// The approximate time from the first connection to the end of the run.
    var length: Duration { warmUp.duration + duration.duration + .seconds(120) }

    func plan(relay isRelay: Bool) -> LoadPlan {
        LoadPlan(
            peer: isRelay ? .relay : .promised,
            codec: codec,
            phase: phase,
            period: period.duration,
            warmUp: warmUp.duration,
            duration: duration.duration,
            arrivalsPerSecond: isRelay ? 0 : arrivePerSecond,
            cancellationsPerMinute: isRelay ? 0 : cancelPerMinute,
            cutPercentPerMinute: cutPercent,
            connectsAtOnce: connectsAtOnce
        )
    }
}

/// `5s`, `250ms`, `10m`, `1h`
struct DurationArgument: ExpressibleByArgument {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let units: [Substring: Int64] = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000]
        guard let count = Int64(digits), let unit = units[argument[digits.endIndex...]], count <= 1_000_000_000 else {
            return nil
        }
        duration = .milliseconds(count * unit)
    }

    var defaultValueDescription: String { "\(Int(duration.inSeconds))s" }
}

extension Expectation: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension LoadPlan.Phase: ExpressibleByArgument {}
