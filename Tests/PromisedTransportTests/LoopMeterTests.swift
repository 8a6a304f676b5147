import CoreMetrics
import PromisedConcurrency
import Testing

@testable import PromisedTransport

/// The metrics of a loop, and when they are updated.
struct LoopMeterTests {
    /// Adds the values of counters and stores all those of recorders, by the end of the name.
    private final class Notes: MetricsFactory {
        private final class Handler: CounterHandler, RecorderHandler, TimerHandler {
            let note: @Sendable (Double) -> Void

            init(_ note: @escaping @Sendable (Double) -> Void) {
                self.note = note
            }

            func increment(by amount: Int64) { note(Double(amount)) }
            func reset() {}
            func record(_ value: Int64) { note(Double(value)) }
            func record(_ value: Double) { note(value) }
            func recordNanoseconds(_ duration: Int64) { note(Double(duration)) }
        }

        private let values = Guarded<[String: [Double]]>([:])

        subscript(name: String) -> [Double] { values.withLock { $0["promised_transport_" + name] ?? [] } }

        private func handler(_ label: String) -> Handler {
            Handler { [self] value in values.withLock { $0[label, default: []].append(value) } }
        }

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { handler(label) }

        func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
            handler(label)
        }

        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { handler(label) }

        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}
    }

    private let notes = Notes()
    private let start = ContinuousClock.now
    private var meter: LoopMeter

    init() {
        let metrics = TransportMetrics(end: "server", thread: 0, factory: notes)
        meter = LoopMeter(metrics, resolution: .milliseconds(250), at: start)
    }

    @Test mutating func `reports traffic every fourth tick and queues every five seconds`() {
        var traffic: [Int] = []
        var surveys: [Int] = []
        for tick in 1...41 {
            let due = meter.tick(at: start + .milliseconds(250 * tick))
            if due.traffic { traffic.append(tick) }
            if due.survey { surveys.append(tick) }
        }
        #expect(traffic == Array(stride(from: 4, through: 40, by: 4)))
        #expect(surveys == [1, 21, 41])
    }

    @Test mutating func `measures the lag as the delay of a tick`() {
        for milliseconds in [0, 250, 600, 800] { _ = meter.tick(at: start + .milliseconds(milliseconds)) }
        let lags = notes["loop_lag_seconds"]
        #expect(lags.count == 3)
        #expect(zip(lags, [0, 0.1, 0]).allSatisfy { abs($0 - $1) < 1e-9 }, "\(lags)")
    }

    @Test mutating func `reports a moved value once`() {
        meter.received(bytes: 10)
        meter.received(bytes: 5)
        meter.report(SentTraffic(frames: 3, bytes: 30, superseded: 2, discarded: 1), connections: 7)
        meter.report(SentTraffic(), connections: 8)
        #expect(notes["received_frames_total"] == [2])
        #expect(notes["received_bytes_total"] == [15])
        #expect(notes["sent_frames_total"] == [3])
        #expect(notes["sent_bytes_total"] == [30])
        #expect(notes["superseded_frames_total"] == [2])
        #expect(notes["discarded_frames_total"] == [1])
        #expect(notes["connections"] == [7, 8])
    }

    @Test func `counts queued messages`() {
        meter.report(ChannelTable.Survey(frames: 4, bytes: 400, largest: 200))
        #expect(notes["outbox_frames"] == [4])
        #expect(notes["outbox_bytes"] == [400])
        #expect(notes["largest_outbox_bytes"] == [200])
    }
}
