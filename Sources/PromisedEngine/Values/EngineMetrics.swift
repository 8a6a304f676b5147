internal import CoreMetrics
package import PromisedDomain

/// The engine's counts, at about one moment.
package struct EngineCensus: Sendable, Hashable {
    /// Live sessions by the status of their promise; a status without sessions may be missing.
    package var sessions: [PromiseStatus: Int] = [:]
    /// Sessions with a scheduled wake.
    package var timers = 0
    /// Sessions whose wake is overdue.
    package var overdueTimers = 0
    /// The delay of the earliest overdue wake, in real time.
    package var backlog = Duration.zero
}

struct EngineMetrics: Sendable {
    private let arrivals: [Arrival.Source: [Arrival.Stage: Counter]]
    private let retractions: [PromiseEvent.RetractionReason: Counter]
    private let results: Counter
    private let movedClocks: Counter
    private let timerDelay: Recorder

    /// Creates counters at zero, one for each value of the labels.
    init(_ factory: any MetricsFactory) {
        func counter(_ name: String, _ labels: (String, String)...) -> Counter {
            Counter(label: name, dimensions: labels, factory: factory)
        }
        arrivals = EngineMetrics.table { source in
            EngineMetrics.table { stage in
                counter("promised_arrivals_total", ("source", source.rawValue), ("stage", stage.rawValue))
            }
        }
        retractions = EngineMetrics.table { counter("promised_arrival_retractions_total", ("reason", $0.rawValue)) }
        results = counter("promised_results_total")
        movedClocks = counter("promised_moved_clocks_total")
        timerDelay = Recorder(label: "promised_timer_delay_seconds", factory: factory)
    }

    func note(_ event: PromiseEvent) {
        switch event.traits.arrivals {
        case .arrived(let ranked), .confirmed(let ranked):
            arrivals[ranked.arrival.source]?[ranked.arrival.stage]?.increment()
        case .retracted(_, let reason): retractions[reason]?.increment()
        case .revised, nil: break
        }
        if event == .resultFinal { results.increment() }
    }

    /// Counts a report that shows a change of its device's clock.
    func clockMoved() { movedClocks.increment() }

    /// Records that a session's wake ran `delay` late, in real time.
    func timerFired(after delay: Duration) { timerDelay.record(max(.zero, delay) / .seconds(1)) }

    private static func table<Key: Hashable & CaseIterable, Value>(_ make: (Key) -> Value) -> [Key: Value] {
        Dictionary(uniqueKeysWithValues: Key.allCases.map { ($0, make($0)) })
    }
}
