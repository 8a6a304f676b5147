import ArgumentParser
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
internal import PromisedSettings
import PromisedWire

/// `51.22970,-1.33885`
struct PlaceArgument {
    let coordinate: Coordinate

    /// Parses the value of an option. Throws `ValidationError`, which states the format and ranges.
    static func parse(_ text: String) throws -> PlaceArgument {
        guard let place = PlaceArgument(argument: text) else {
            throw ValidationError(
                "\"\(text)\" is not a place. Use LATITUDE,LONGITUDE in degrees: -90 to 90, then -180 to 180."
            )
        }
        return place
    }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isValid else { return nil }
    }
}

/// `2019-11-29T13:39:10Z`
struct InstantArgument: ExpressibleByArgument {
    let instant: Instant

    init?(argument: String) {
        guard let instant = Instant(rfc3339: argument) else { return nil }
        self.instant = instant
    }
}

/// `5s`, `250ms`, `10m`
struct SpanArgument: ExpressibleByArgument {
    let span: TimeSpan

    init(span: TimeSpan) { self.span = span }

    init?(argument: String) {
        guard let span = DurationText.parse(argument) else { return nil }
        self.span = span
    }

    var defaultValueDescription: String { DurationText.format(span) }
}

/// `robust` or `first-fix`
enum RuleArgument: String, ExpressibleByArgument, CaseIterable {
    case robust
    case firstFix = "first-fix"

    var name: ArrivalRule.Name {
        switch self {
        case .robust: .robust
        case .firstFix: .firstFix
        }
    }
}

/// `json` or `protobuf`
enum CodecArgument: String, ExpressibleByArgument, CaseIterable {
    case json, protobuf

    var codec: WireCodec {
        switch self {
        case .json: .json
        case .protobuf: .protobuf
        }
    }
}

/// `ws://127.0.0.1:8080/ws`
struct ServerArgument: ExpressibleByArgument {
    let address: ServerAddress

    init?(argument: String) {
        guard let address = ServerAddress(argument) else { return nil }
        self.address = address
    }
}

/// `127.0.0.1:8080`
struct ListenArgument: ExpressibleByArgument {
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    var defaultValueDescription: String { "\(host):\(port)" }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = port
    }
}
