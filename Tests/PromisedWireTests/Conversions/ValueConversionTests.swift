import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@Suite struct ValueConversionTests {
    // MARK: - Ids

    @Test func `encodes an id as 36 characters`() throws {
        let text = "01932a4e-0000-7000-8000-0000000000b1"
        #expect(try UserID(wire: text, field: "userId") == DomainSamples.ada)
        #expect(try UserID(wire: text.uppercased(), field: "userId") == DomainSamples.ada)
        #expect(DomainSamples.ada.wireText == text)
    }

    @Test(arguments: [
        "", "x", "01932a4e-0000-7000-8000-0000000000b", "01932a4e-0000-7000-8000-0000000000b11",
        "01932a4e000070008000000000000 0b1", "{01932a4e-0000-7000-8000-0000000000b1}",
        "01932a4e-0000-7000-8000-0000000000g1", "01932a4e_0000_7000_8000_0000000000b1",
    ])
    func `rejects other values as an invalid field`(text: String) {
        #expect(throws: WireError.invalid(field: "userId")) { try UserID(wire: text, field: "userId") }
    }

    @Test func `names the invalid id of a list`() throws {
        let good = DomainSamples.ada.wireText
        #expect(try UserID.list(wire: [good, good], field: "invite") == [DomainSamples.ada, DomainSamples.ada])
        #expect(try UserID.list(wire: [], field: "invite") == [])
        #expect(throws: WireError.invalid(field: "invite[1]")) { try UserID.list(wire: [good, "?"], field: "invite") }
    }

    // MARK: - Instants

    @Test(
        arguments: [
            // Around 1970, with and without a rest, and this century.
            (0, 0, 0), (1, 0, 1_000_000), (999, 0, 999_000_000), (1_000, 1, 0), (-1, -1, 999_000_000), (-1_000, -1, 0),
            (-1_001, -2, 999_000_000), (1_795_251_600_250, 1_795_251_600, 250_000_000),
            // The first and the last instant in RFC 3339.
            (-62_135_596_800_000, -62_135_596_800, 0), (253_402_300_799_999, 253_402_300_799, 999_000_000),
        ] as [(Int64, Int64, Int32)]
    )
    func `converts between an instant and a timestamp`(milliseconds: Int64, seconds: Int64, nanos: Int32) throws {
        let timestamp = WireTimestamp(Instant(milliseconds: milliseconds))
        #expect(timestamp.seconds == seconds)
        #expect(timestamp.nanos == nanos)
        #expect(try Instant(wire: timestamp, field: "at") == Instant(milliseconds: milliseconds))
    }

    @Test(
        arguments: [
            (-62_135_596_800_001, -62_135_596_800), (253_402_300_800_000, 253_402_300_799), (.min, -62_135_596_800),
            (.max, 253_402_300_799),
        ] as [(Int64, Int64)]
    )
    func `limits an instant to the nearest representable second`(milliseconds: Int64, seconds: Int64) {
        let timestamp = WireTimestamp(Instant(milliseconds: milliseconds))
        #expect(timestamp.seconds == seconds)
        #expect(timestamp.nanos == 0)
    }

    @Test(
        arguments: [
            (0, 499_999, 0), (0, 500_000, 1), (0, 1_499_999, 1), (0, 999_999_999, 1_000), (-1, 999_499_999, -1),
            (-1, 999_500_000, 0),
        ] as [(Int64, Int32, Int64)]
    )
    func `rounds timestamps to milliseconds`(seconds: Int64, nanos: Int32, milliseconds: Int64) throws {
        let timestamp = WireTimestamp(seconds: seconds, nanos: nanos)
        #expect(try Instant(wire: timestamp, field: "at") == Instant(milliseconds: milliseconds))
        #expect(timestamp.readingMs == Double(milliseconds))
    }

    @Test(
        arguments: [
            (0, 499_999, 0), (0, 500_000, 1), (-1, 999_000_000, -1), (-62_135_596_800, 0, -62_135_596_800_000),
            (253_402_300_799, 999_000_000, 253_402_300_799_999), (-62_135_596_801, 999_000_000, -62_135_596_800_000),
            (253_402_300_800, 0, 253_402_300_799_999), (9_223_372_036_854_775, .max, 253_402_300_799_999),
            (-9_223_372_036_854_776, .min, -62_135_596_800_000), (.max, .max, 253_402_300_799_999),
            (.min, .min, -62_135_596_800_000),
        ] as [(Int64, Int32, Int64)]
    )
    func `any timestamp has milliseconds within the years 1 to 9999`(
        seconds: Int64,
        nanos: Int32,
        milliseconds: Int64
    ) {
        #expect(WireTimestamp(seconds: seconds, nanos: nanos).clampedMilliseconds == milliseconds)
    }

    @Test(
        arguments: [
            (-62_135_596_801, 0), (253_402_300_800, 0), (.max, 0), (.min, 0), (0, -1), (0, 1_000_000_000), (0, .min),
        ] as [(Int64, Int32)]
    )
    func `a timestamp out of range is an invalid field, but a valid reading`(seconds: Int64, nanos: Int32) {
        let timestamp = WireTimestamp(seconds: seconds, nanos: nanos)
        #expect(throws: WireError.invalid(field: "meetsAt")) { try Instant(wire: timestamp, field: "meetsAt") }
        #expect(timestamp.readingMs.isFinite)
    }

    @Test func `encodes a clock reading as a timestamp if possible`() throws {
        #expect(WireTimestamp(readingMs: 1_500.4) == WireTimestamp(seconds: 1, nanos: 500_000_000))
        #expect(WireTimestamp(readingMs: .nan) == nil)
        #expect(WireTimestamp(readingMs: .infinity) == nil)
        #expect(WireTimestamp(readingMs: 1e300) == nil)
        #expect(WireTimestamp(readingMs: -1e300) == nil)
    }

    @Test func `spans are whole milliseconds that fit`() {
        #expect(TimeSpan.milliseconds(5_000).wireMs == 5_000)
        #expect(TimeSpan.milliseconds(-1).wireMs == 0)
        #expect(TimeSpan.days(50).wireMs == .max)
    }

    // MARK: - Cards, places, penalties, rules

    @Test func `decodes an encoded card unchanged`() throws {
        let card = UserCard(id: DomainSamples.ada, nickname: "deleted user", avatar: "", isDeleted: true)
        #expect(try UserCard(WireUserCard(card)) == card)
        #expect(throws: WireError.invalid(field: "userId")) { try UserCard(WireUserCard()) }
    }

    @Test func `decodes an encoded place unchanged`() throws {
        #expect(try Place(WirePlace(DomainSamples.place)) == DomainSamples.place)
    }

    @Test func `a place of the directory keeps its id`() throws {
        var place = DomainSamples.place
        place.placeID = PlaceID(high: 0x0193_2A4E_0000_7000, low: 0x8000_0000_0000_00C1)
        #expect(WirePlace(place).placeID == "01932a4e-0000-7000-8000-0000000000c1")
        #expect(try Place(WirePlace(place)) == place)
        #expect(!WirePlace(DomainSamples.place).hasPlaceID)
    }

    @Test(arguments: ["", "x", "01932a4e-0000-7000-8000-0000000000c11"])
    func `checks the id of a place`(id: String) {
        let wire = WirePlace.with { $0.placeID = id }
        #expect(throws: WireError.invalid(field: "placeId")) { try Place(wire) }
    }

    @Test(arguments: [(Double.nan, 0.0), (0, .infinity), (91, 0), (0, -181)])
    func `ignores the position beside the id of a place`(latitude: Double, longitude: Double) throws {
        let wire = WirePlace.with {
            $0.placeID = "01932a4e-0000-7000-8000-0000000000c1"
            ($0.latitude, $0.longitude) = (latitude, longitude)
        }
        #expect(try Place(wire).coordinate == Coordinate(latitude: 0, longitude: 0))
    }

    @Test(
        .proves("4.1"),
        arguments: [
            (90, 180, nil), (-90, -180, nil), (90.000_001, 0, "latitude"), (-90.000_001, 0, "latitude"),
            (0, 180.000_001, "longitude"), (0, -180.000_001, "longitude"), (.nan, 0, "latitude"),
            (0, .nan, "longitude"),
            (.infinity, 0, "latitude"), (0, -.infinity, "longitude"),
        ] as [(Double, Double, String?)]
    )
    func `requires a place on the earth`(latitude: Double, longitude: Double, field: String?) throws {
        let wire = WirePlace.with {
            $0.latitude = latitude
            $0.longitude = longitude
        }
        if let field {
            #expect(throws: WireError.invalid(field: field)) { try Place(wire) }
            #expect(throws: WireError.invalid(field: "place.\(field)")) {
                try WireError.inside("place") { () throws(WireError) in try Place(wire) }
            }
        } else {
            #expect(try Place(wire).coordinate == Coordinate(latitude: latitude, longitude: longitude))
        }
    }

    @Test(
        arguments: [
            (0, "KRW", nil), (40_000_000, "EUR", nil), (40_000_001, "EUR", "amount"),
            (-1, "EUR", "amount"), (1, "", "currency"), (1, "eur", "currency"),
            (1, "EURO", "currency"), (1, "ÉUR", "currency"),
        ] as [(Int32, String, String?)]
    )
    func `a penalty has an amount and a currency`(amount: Int32, currency: String, field: String?) throws {
        let wire = WirePenalty.with {
            $0.amount = amount
            $0.currency = currency
        }
        if let field {
            #expect(throws: WireError.invalid(field: field)) { try Penalty(wire) }
        } else {
            let penalty = Penalty(amount: amount, currency: currency)
            #expect(try Penalty(wire) == penalty)
            #expect(WirePenalty(penalty) == wire)
        }
    }

    @Test func `decodes an encoded rule unchanged`() {
        for name in ArrivalRule.Name.allCases {
            for mock in ArrivalRule.MockPolicy.allCases {
                let rule = ArrivalRule(name: name, grace: .zero, mock: mock)
                #expect(ArrivalRule(WireRule(rule)) == rule)
            }
        }
    }

    @Test func `the default fills the absent fields of a rule`() {
        let defaults = ArrivalRule(name: .firstFix, grace: .seconds(7), mock: .reject)
        #expect(ArrivalRule(WireRule(), defaults: defaults) == defaults)
        let unknown = WireRule.with {
            $0.name = .UNRECOGNIZED(9)
            $0.mock = .UNRECOGNIZED(9)
            $0.graceMs = 0
        }
        #expect(ArrivalRule(unknown, defaults: defaults) == ArrivalRule(name: .firstFix, grace: .zero, mock: .reject))
    }
}
