import Foundation
import PromisedDomain
import PromisedTestSupport
import Testing

@Suite struct TimeTests {
    @Test func `the units agree`() {
        #expect(TimeSpan.days(1) == .hours(24))
        #expect(TimeSpan.hours(1) == .minutes(60))
        #expect(TimeSpan.minutes(1) == .seconds(60))
        #expect(TimeSpan.seconds(1) == .milliseconds(1_000))
        #expect(TimeSpan.milliseconds(1_500).duration == .milliseconds(1_500))
    }

    @Test(arguments: [(0.0004, 0), (0.0005, 1), (0.0015, 2), (-0.0004, 0), (-0.0005, -1), (1e9, 1_000_000_000_000)])
    func `seconds are rounded to the nearest millisecond`(seconds: Double, milliseconds: Int) {
        #expect(TimeSpan.seconds(seconds).milliseconds == Int64(milliseconds))
    }

    @Test func `instants and spans add up`() {
        let span = TimeSpan.minutes(30)
        #expect(Instant.meeting + span - .meeting == span)
        #expect(.meeting - (.meeting + span) == -span)
        #expect(Instant.meeting - span + span == .meeting)
        #expect(.meeting - span < .meeting)
        #expect(-span < .zero)
    }

    @Test(arguments: [(0, 0), (999, 0), (1_000, 1), (1_001, 1), (-1, -1), (-999, -1), (-1_000, -1), (-1_001, -2)])
    func `rounds whole seconds towards the past`(milliseconds: Int, seconds: Int) {
        #expect(TimeSpan.milliseconds(Int64(milliseconds)).wholeSeconds == seconds)
    }

    @Test(arguments: [
        (Duration.zero, 0.0), (.nanoseconds(1), 1e-6), (.milliseconds(1_500), 1_500), (.seconds(-2), -2_000),
        (.nanoseconds(-1), -1e-6), (.seconds(86_400 * 365), 31_536_000_000),
        (.seconds(18) + .microseconds(447), 18_000.447),
    ])
    func `gives a duration in milliseconds`(duration: Duration, milliseconds: Double) {
        // The negative one is a difference of two large numbers.
        #expect(abs(duration.inMilliseconds - milliseconds) <= max(abs(milliseconds) * 1e-15, 1e-11))
    }

    @Test func `encodes both as milliseconds`() throws {
        let data = try JSONEncoder().encode([TimeSpan.minutes(30).milliseconds, Instant.meeting.milliseconds])
        #expect(try JSONDecoder().decode([Instant].self, from: data)[1] == .meeting)
        #expect(try JSONDecoder().decode([TimeSpan].self, from: data)[0] == .minutes(30))
        #expect(try JSONEncoder().encode([Instant.meeting]) == Data("[1795251600000]".utf8))
    }
}
