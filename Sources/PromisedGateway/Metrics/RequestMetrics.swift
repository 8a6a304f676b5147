internal import CoreMetrics
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

/// Counts requests and their outcomes.
struct RequestMetrics: Sendable {
    private let requests: [RequestKind: [RequestOutcome: Counter]]
    /// The counter of successful reports, kept to avoid a look-up: they are nearly all requests.
    private let reports: Counter?
    private let errors: [ErrorCode: Counter]
    private let authFailures: [RequestKind: Counter]
    private let taken: Counter
    private let rejected: Counter
    private let malformed: Counter
    private let duration: Timer

    /// Counters at zero, one for each label value, to avoid look-ups by text later.
    init(_ factory: any MetricsFactory) {
        func counter(_ name: String, _ labels: (String, String)...) -> Counter {
            Counter(label: name, dimensions: labels, factory: factory)
        }
        requests = RequestMetrics.table(RequestKind.allCases) { kind in
            RequestMetrics.table(RequestOutcome.allCases) { outcome in
                counter("promised_requests_total", ("request", kind.rawValue), ("outcome", outcome.rawValue))
            }
        }
        reports = requests[.report]?[.done]
        errors = RequestMetrics.table(ErrorCode.allCases) {
            counter("promised_request_errors_total", ("code", $0.rawValue))
        }
        authFailures = RequestMetrics.table(RequestKind.withCredentials) {
            counter("promised_auth_failures_total", ("request", $0.rawValue))
        }
        taken = counter("promised_reported_fixes_total", ("outcome", "taken"))
        rejected = counter("promised_reported_fixes_total", ("outcome", "rejected"))
        malformed = counter("promised_malformed_frames_total")
        duration = Timer(label: "promised_request_duration_seconds", factory: factory)
    }

    func answered(_ kind: RequestKind, with answer: Answer<WireContent>, after span: Duration) {
        count(kind, .done, after: span)
        guard case .reply(.reported(let reported)) = answer else { return }
        taken.increment(by: reported.taken.count)
        rejected.increment(by: reported.rejected.count)
    }

    /// Counts an answered report to one promise.
    func reported(_ receipt: ReportReceipt, after span: Duration) {
        reports?.increment()
        record(span)
        taken.increment(by: receipt.taken.count)
        if !receipt.rejected.isEmpty { rejected.increment(by: receipt.rejected.count) }
    }

    /// Counts a request answered with an error.
    func refused(_ kind: RequestKind, with code: ErrorCode, after span: Duration) {
        count(kind, RequestOutcome(code), after: span)
        errors[code]?.increment()
        switch code {
        case .authInvalidCredentials, .authTokenInvalid, .limitAttempts: authFailures[kind]?.increment()
        default: break
        }
    }

    /// Counts a frame that could not be decoded.
    func malformedFrame() { malformed.increment() }

    private func count(_ kind: RequestKind, _ outcome: RequestOutcome, after span: Duration) {
        requests[kind]?[outcome]?.increment()
        record(span)
    }

    // A timer, which takes integers: a recorder converts from any type of number, which takes 400 instructions.
    private func record(_ span: Duration) { duration.recordNanoseconds(Int64(span.inMilliseconds * 1e6)) }

    private static func table<Key: Hashable, Value>(_ keys: [Key], _ make: (Key) -> Value) -> [Key: Value] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, make($0)) })
    }
}

/// The outcome of a request, as a metrics label.
enum RequestOutcome: String, CaseIterable, Sendable {
    /// The request was answered.
    case done
    /// The rules refused the request, or it is invalid.
    case refused
    /// Too many requests.
    case limited
    /// The server failed.
    case failed

    /// The outcome of an error.
    init(_ code: ErrorCode) {
        self =
            if code == .limitRate || code == .limitAttempts {
                .limited
            } else if code == .serverUnavailable || code == .serverInternal {
                .failed
            } else {
                .refused
            }
    }
}
