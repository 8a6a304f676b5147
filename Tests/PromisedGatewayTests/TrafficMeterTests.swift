import Testing

@testable import PromisedGateway

@Suite struct TrafficMeterTests {
    @Test func `a rate covers the last ten whole seconds`() {
        let start = ContinuousClock.now
        let meter = TrafficMeter(at: start)
        for second in 0..<30 {
            meter.note(TrafficMeter.Counts(requests: 2, reports: 1, deliveries: 9), at: start + .seconds(second))
        }
        // The current second counts with its elapsed part.
        let (counts, seconds) = meter.recent(at: start + .milliseconds(29_500))
        #expect(seconds == 9.5 && counts == TrafficMeter.Counts(requests: 20, reports: 10, deliveries: 90))
        #expect(meter.recent(at: start + .seconds(34)).counts.requests == 10)
        #expect(meter.recent(at: start + .seconds(60)).counts == TrafficMeter.Counts())
    }

    @Test func `adds a slightly late count to the last second`() {
        let start = ContinuousClock.now
        let meter = TrafficMeter(at: start)
        meter.note(TrafficMeter.Counts(requests: 1), at: start + .seconds(20))
        meter.note(TrafficMeter.Counts(requests: 2), at: start + .milliseconds(19_900))
        #expect(meter.recent(at: start + .milliseconds(29_900)).counts.requests == 3)
        #expect(meter.recent(at: start + .seconds(30)).counts.requests == 0)
    }

    @Test func `a young meter uses the seconds so far`() {
        let start = ContinuousClock.now
        let meter = TrafficMeter(at: start)
        meter.note(TrafficMeter.Counts(requests: 3), at: start)
        #expect(meter.recent(at: start + .milliseconds(10)).counts.requests == 3)
        #expect(meter.recent(at: start + .milliseconds(10)).seconds == 1)
        let later = meter.recent(at: start + .seconds(3))
        #expect(later.counts.requests == 3 && later.seconds == 3)
    }
}
