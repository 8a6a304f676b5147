import Testing

@testable import promisectl

@Suite("Words of the command line")
struct ArgumentTests {
    @Test(arguments: [
        ("52.52,13.405", true), ("-90,180", true), ("90.1,0", false), ("0,-180.5", false), ("52.52", false),
        ("1,2,3", false), ("nan,0", false), ("a,b", false), ("", false),
    ])
    func `a place is two numbers of degrees`(text: String, isGood: Bool) {
        #expect((CoordinateArgument(argument: text) != nil) == isGood)
    }

    @Test(arguments: [
        ("2026-11-21T18:00:00Z", true), ("2026-11-21T18:00:00.5+01:00", true), ("2026-11-21", false),
        ("tomorrow", false), ("\"", false), ("2026-11-21T18:00:00", false),
    ])
    func `an instant has the form of RFC 3339`(text: String, isGood: Bool) {
        #expect((InstantArgument(argument: text) != nil) == isGood)
    }

    @Test(arguments: [("30d", 2_592_000_000.0), ("12h", 43_200_000), ("90m", 5_400_000), ("45s", 45_000), ("5ms", 5)])
    func `a span is a number and a unit`(text: String, milliseconds: Double) {
        #expect(SpanArgument(argument: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: ["", "30", "d", "-1d", "1.5h", "1y", "99999999999d"])
    func `rejects other texts as spans`(text: String) {
        #expect(SpanArgument(argument: text) == nil)
    }

    @Test(arguments: [
        ("500,EUR", true), ("0,KRW", true), ("-1,EUR", false), ("5,eur", false), ("5,EURO", false), ("5", false),
    ])
    func `a penalty is an amount and a currency`(text: String, isGood: Bool) {
        #expect((PenaltyArgument(argument: text) != nil) == isGood)
    }
}
