import Foundation
import PromisedConcurrency
import PromisedProtocol
import Testing

/// The refusals seen by tests, compared with those in `asyncapi.yaml` for each request.
enum DocumentedRefusals {
    /// The codes of each request by its name, as PromisedWire's tests record them.
    private static let known = Result {
        try WireRecording.text("request-errors.txt").split(separator: "\n").reduce(into: [String: Set<String>]()) {
            let words = $1.split(separator: " ").map(String.init)
            $0[words[0]] = Set(words.dropFirst())
        }
    }

    /// The path for `scripts/test`, which compares the seen refusals with the documented ones; nil without one.
    private static let report = ProcessInfo.processInfo.environment["SEEN_REFUSALS"]
    private static let seen = Guarded<Set<String>>([])

    /// Records an issue if the document does not list the code for the request.
    static func expect(_ code: String, of request: WireRequest) {
        expect(code, of: Mirror(reflecting: request).children.first?.label ?? "")
    }

    /// The same for a request by its name.
    static func expect(_ code: String, of name: String) {
        note("\(name) \(code)\n")
        do {
            let codes = try known.get()[name] ?? []
            #expect(codes.contains(code), "\(name) is refused with \(code), which asyncapi.yaml does not say")
        } catch {
            Issue.record(error)
        }
    }

    /// Appends a line to the report, once. Several processes write to it, each complete lines.
    private static func note(_ line: String) {
        guard let report, seen.withLock({ $0.insert(line).inserted }) else { return }
        let descriptor = open(report, O_WRONLY | O_APPEND | O_CREAT, 0o644)
        let count = line.utf8.count
        if descriptor < 0 || write(descriptor, line, count) != count { Issue.record("\(report) cannot be written") }
        close(descriptor)
    }
}
