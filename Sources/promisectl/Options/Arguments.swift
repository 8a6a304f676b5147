import ArgumentParser
import Foundation
import PromisedProtocol
import PromisedWire
import SwiftProtobuf

/// `51.22970,-1.33885`
struct CoordinateArgument {
    let latitude: Double
    let longitude: Double

    /// Parses the value of an option. Throws `ValidationError`, which states the format and ranges.
    static func parse(_ text: String) throws -> CoordinateArgument {
        guard let coordinate = CoordinateArgument(argument: text) else {
            throw ValidationError(
                "\"\(text)\" is not a place. Use LATITUDE,LONGITUDE in degrees: -90 to 90, then -180 to 180."
            )
        }
        return coordinate
    }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// `2026-11-21T18:00:00Z` or with another offset (RFC 3339).
struct InstantArgument: ExpressibleByArgument {
    let timestamp: WireTimestamp

    init?(argument: String) {
        // A quotation mark would end the JSON string, and is invalid in an instant.
        guard !argument.contains(where: { "\"\\".contains($0) }) else { return nil }
        do {
            timestamp = try WireTimestamp(jsonString: "\"\(argument)\"")
        } catch {
            return nil
        }
    }
}

/// `30d`, `12h`, `90m`, `45s`, `250ms`
struct SpanArgument: ExpressibleByArgument {
    private static let units: [(name: String, milliseconds: Double)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    let milliseconds: Double

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let name = argument[digits.endIndex...]
        guard let count = Int32(digits), let unit = Self.units.first(where: { $0.name == name }) else { return nil }
        milliseconds = Double(count) * unit.milliseconds
    }
}

/// `500,EUR`: an amount in minor units and a currency.
struct PenaltyArgument: ExpressibleByArgument {
    let penalty: WirePenalty

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let amount = Int32(parts[0]), amount >= 0,
            parts[1].utf8.count == 3, parts[1].utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { return nil }
        var penalty = WirePenalty()
        penalty.amount = amount
        penalty.currency = String(parts[1])
        self.penalty = penalty
    }
}

/// `robust` or `first-fix`
enum RuleArgument: String, ExpressibleByArgument, CaseIterable {
    case robust
    case firstFix = "first-fix"

    var name: WireRuleName.Value {
        switch self {
        case .robust: .robust
        case .firstFix: .firstFix
        }
    }
}

enum StatusArgument: String, ExpressibleByArgument, CaseIterable {
    case scheduled, tracking, settling, final, cancelled

    var status: WirePromiseStatus.Value {
        switch self {
        case .scheduled: .scheduled
        case .tracking: .tracking
        case .settling: .settling
        case .final: .final
        case .cancelled: .cancelled
        }
    }
}

/// `walk`, `run`, `ride`, `drive` or `other`
enum ActivityArgument: String, ExpressibleByArgument, CaseIterable {
    case walk, run, ride, drive, other

    var activity: WireActivity.Value {
        switch self {
        case .walk: .walk
        case .run: .run
        case .ride: .ride
        case .drive: .drive
        case .other: .other
        }
    }
}

/// An id on a command line, with a hint where to find ids.
enum IdentifierArgument {
    static func promise(_ text: String) throws -> String { try id(text, of: "promise", shownBy: "promise list") }
    static func place(_ text: String) throws -> String { try id(text, of: "place", shownBy: "place list") }
    static func course(_ text: String) throws -> String { try id(text, of: "course", shownBy: "course list") }
    static func token(_ text: String) throws -> String { try id(text, of: "token", shownBy: "token list") }

    private static func id(_ text: String, of kind: String, shownBy command: String) throws -> String {
        guard let id = UUID(uuidString: text) else {
            throw ValidationError(
                """
                "\(text)" is not a \(kind) id. An id looks like 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b; \
                "promisectl \(command)" lists them.
                """
            )
        }
        return id.uuidString.lowercased()
    }
}
