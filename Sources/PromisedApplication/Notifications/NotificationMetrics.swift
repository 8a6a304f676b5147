internal import CoreMetrics
internal import PromisedDomain

struct NotificationMetrics: Sendable {
    private struct Key: Hashable {
        var kind: NotificationKind
        var decision: String
    }

    private let decisions: [Key: Counter]
    private let dropped: Counter

    /// Counters at zero, one per kind and decision.
    init(_ factory: any MetricsFactory) {
        var decisions: [Key: Counter] = [:]
        for kind in NotificationKind.allCases {
            for decision in NotificationDecision.names {
                decisions[Key(kind: kind, decision: decision)] = Counter(
                    label: "promised_notifications_total",
                    dimensions: [("kind", kind.rawValue), ("decision", decision)],
                    factory: factory
                )
            }
        }
        self.decisions = decisions
        dropped = Counter(label: "promised_notifications_dropped_total", factory: factory)
    }

    /// Counts a decision that was made and stored.
    func note(_ kind: NotificationKind, _ decision: NotificationDecision) {
        decisions[Key(kind: kind, decision: decision.name)]?.increment()
    }

    /// Counts a dropped order: the queue was full, or its user's rows could not be read or written.
    func noteDropped() { dropped.increment() }
}

extension NotificationDecision {
    /// The stable name of each decision.
    fileprivate static let names = ["off", "seen", "writing", "quiet-hours", "told", "phone", "phone-limit"]

    fileprivate var name: String {
        switch self {
        case .off: "off"
        case .seen: "seen"
        case .held(let hold): hold.reason == .writing ? "writing" : "quiet-hours"
        case .told(.unneeded): "told"
        case .told(.reached): "phone"
        case .told(.limited): "phone-limit"
        }
    }
}
