import PromisedProtocol
import PromisedServer
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("Measures as people read them")
struct MeasureTests {
    @Test(arguments: [
        (0.0, "0 ms"), (12.4, "12 ms"), (999.4, "999 ms"), (1_000, "1 s"), (61_000, "1 min 1 s"), (60_000, "1 min"),
        (3_600_000, "1 h"), (3_661_000, "1 h 1 min"), (90_000_000, "1 d 1 h"), (-5, "0 ms"),
    ])
    func `a span has two units at most`(milliseconds: Double, text: String) {
        #expect(MomentText.span(milliseconds: milliseconds) == text)
    }

    @Test(arguments: [(0, "+0:00"), (12, "+0:12"), (-185, "-3:05"), (3_600, "+60:00")])
    func `an offset is in minutes and seconds`(seconds: Int, text: String) {
        #expect(MomentText.offset(seconds: seconds) == text)
    }

    @Test(arguments: [(0.0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_572_864, "1.5 MiB")])
    func `bytes are in the largest unit`(count: Double, text: String) {
        #expect(MeasureText.bytes(count) == text)
    }

    @Test(arguments: [(85.4, "85 m"), (1_249.0, "1.2 km")])
    func `a distance is in metres or kilometres`(metres: Double, text: String) {
        #expect(MeasureText.distance(metres: metres) == text)
    }

    @Test func `instants are in UTC`() throws {
        let instant = try WireTimestamp.sample("2026-11-21T10:00:07.900+01:00")
        #expect(MomentText.full(instant) == "2026-11-21 09:00:07Z")
        #expect(MomentText.time(instant) == "09:00:07")
        #expect(instant.rfc3339 == "2026-11-21T09:00:07.900Z")
    }

    @Test(arguments: [
        (WireTimestamp(seconds: .max, nanos: .max), "9999-12-31 23:59:59Z", "9999-12-31T23:59:59.999Z"),
        (WireTimestamp(seconds: .min, nanos: .min), "0001-01-01 00:00:00Z", "0001-01-01T00:00:00.000Z"),
        (WireTimestamp(seconds: 253_402_300_800), "9999-12-31 23:59:59Z", "9999-12-31T23:59:59.999Z"),
    ])
    func `timestamps beyond all years become the last or the first instant`(
        timestamp: WireTimestamp,
        text: String,
        precise: String
    ) {
        #expect(MomentText.full(timestamp) == text)
        #expect(timestamp.rfc3339 == precise)
    }

    @Test func `the version is the server's`() {
        #expect(ProgramVersion.text == ProductVersion.text)
    }
}
