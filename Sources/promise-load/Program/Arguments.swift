import ArgumentParser

/// `5s`, `250ms`, `10m`, `1h`
struct DurationArgument: ExpressibleByArgument {
    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

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
