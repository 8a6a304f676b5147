import PromisedDomain
import Testing

@testable import PromisedSettings

@Suite struct DurationTextTests {
    @Test(
        arguments: [
            ("0s", 0), ("250ms", 250), ("5s", 5_000), ("10m", 600_000), ("3h", 10_800_000), ("30d", 2_592_000_000),
            ("0005s", 5_000), ("90s", 90_000),
        ] as [(String, Int64)]
    )
    func `reads a number and a unit as a duration`(text: String, milliseconds: Int64) {
        #expect(DurationText.parse(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "5", "s", "-5s", "+5s", "5 s", " 5s", "5s ", "5S", "5sec", "1h30m", "1.5s", "٥s", "9223372036854775807d",
        "99999999999999999999s",
    ])
    func `rejects other texts`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        arguments: [
            (0, "0s"), (1, "1ms"), (1_000, "1s"), (1_001, "1001ms"), (60_000, "1m"), (90_000, "90s"), (3_600_000, "1h"),
            (86_400_000, "1d"), (90_000_000, "25h"),
        ] as [(Int64, String)]
    )
    func `writes a duration in the largest exact unit`(milliseconds: Int64, text: String) {
        #expect(DurationText.format(.milliseconds(milliseconds)) == text)
        #expect(DurationText.parse(text) == .milliseconds(milliseconds))
    }
}
