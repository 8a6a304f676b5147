import Foundation
import PromisedDomain
import PromisedServer
import Testing

@Suite struct InstantRFC3339Tests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2019-11-29T13:39:10Z", 1_575_034_750_000),
            ("2019-11-29t13:39:10.5z", 1_575_034_750_500), ("2019-11-29 13:39:10.123999Z", 1_575_034_750_123),
            ("2019-11-29T22:39:10+09:00", 1_575_034_750_000), ("2019-11-29T10:09:10-03:30", 1_575_034_750_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("1969-12-31T23:59:59.999Z", -1),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ] as [(String, Int64)]
    )
    func `reads a moment`(text: String, milliseconds: Int64) {
        #expect(Instant(rfc3339: text) == Instant(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", "2019-11-29", "2019-11-29T13:39:10", "2019-11-29T13:39Z", "2019-13-01T00:00:00Z", "2019-00-01T00:00:00Z",
        "2019-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2019-04-31T00:00:00Z", "2019-01-00T00:00:00Z",
        "2019-01-01T24:00:00Z", "2019-01-01T00:60:00Z", "2019-01-01T00:00:61Z", "2019-01-01T00:00:00.Z",
        "2019-01-01T00:00:00+0900", "2019-01-01T00:00:00+24:00", "2019-01-01T00:00:00Z ", "19-01-01T00:00:00Z",
        "0000-01-01T00:00:00Z", "２０19-01-01T00:00:00Z", "-019-01-01T00:00:00Z", "1575034750",
    ])
    func `rejects other texts`(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test func `writes moments in the form it reads`() {
        #expect(Instant(milliseconds: 0).rfc3339 == "1970-01-01T00:00:00Z")
        #expect(Instant(milliseconds: 1_575_034_750_007).rfc3339 == "2019-11-29T13:39:10.007Z")
        #expect(Instant(milliseconds: 1_575_034_750_000).rfc3339WithMilliseconds == "2019-11-29T13:39:10.000Z")
        #expect(Instant(milliseconds: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
    }

    @Test func `reads its output back, in agreement with Foundation`() {
        // Every 13.7 days, with milliseconds, through leap years and turns of centuries.
        for step in -20_000..<20_000 {
            let instant = Instant(milliseconds: Int64(step) * 1_183_680_123)
            guard let written = Instant(rfc3339: instant.rfc3339) else {
                #expect(instant < Instant(milliseconds: -62_135_596_800_000), "\(instant.rfc3339)")
                continue
            }
            #expect(written == instant)
        }
        let date = Date(timeIntervalSince1970: 4_107_542_400)
        #expect(Instant(milliseconds: 4_107_542_400_000).rfc3339 == date.formatted(.iso8601))
    }
}
