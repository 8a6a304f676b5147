import PromisedDomain
import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import promised

@Suite("Arguments of the command line")
struct ArgumentTests {
    @Test(arguments: ["51.22970,-1.33885", "-90,180", "0,0"])
    func `accepts two numbers in range as a place`(text: String) {
        #expect(PlaceArgument(argument: text) != nil)
    }

    @Test(arguments: ["", "51", "51,", "91,0", "0,181", "1,2,3", "a,b", "nan,0"])
    func `rejects other texts as places`(text: String) {
        #expect(PlaceArgument(argument: text) == nil)
    }

    @Test(arguments: [("127.0.0.1:0", "127.0.0.1", 0), ("[::1]:8080", "::1", 8_080), ("host:65535", "host", 65_535)])
    func `accepts an address to listen on with a port`(text: String, host: String, port: Int) {
        let argument = ListenArgument(argument: text)
        #expect(argument?.host == host)
        #expect(argument?.port == port)
    }

    @Test(arguments: ["host", ":80", "host:65536", "host:-1", "host:x"])
    func `rejects other texts as addresses`(text: String) {
        #expect(ListenArgument(argument: text) == nil)
    }

    @Test(arguments: [(0, "+0:00"), (-1, "-0:01"), (65, "+1:05"), (-185, "-3:05"), (3_600, "+60:00")])
    func `prints offsets as minutes and seconds`(seconds: Int, text: String) {
        #expect(ClockText.offset(seconds: seconds) == text)
    }

    @Test func `prints times as the time of day`() {
        #expect(ClockText.time(Instant(milliseconds: 1_575_034_814_999)) == "13:40:14")
        #expect(ClockText.time(Instant(milliseconds: -1_000)) == "23:59:59")
    }

    @Test(arguments: [
        (WireTimestamp(seconds: .max, nanos: .max), "23:59:59"),
        (WireTimestamp(seconds: .min, nanos: .min), "00:00:00"),
        (WireTimestamp(seconds: 9_223_372_036_854_776), "23:59:59"),
    ])
    func `limits a timestamp beyond all years to the first or last one`(
        timestamp: WireTimestamp,
        text: String
    ) {
        #expect(ClockText.time(timestamp) == text)
    }
}
