import PromisedProtocol
import Testing

/// The refusals that tests see, compared with what `docs/asyncapi.yaml` says that each request may be refused with.
enum DocumentedRefusals {
    /// The codes of each request by its name, as PromisedWire's tests record them.
    private static let known = Result {
        try WireRecording.text("request-errors.txt").split(separator: "\n").reduce(into: [String: Set<String>]()) {
            let words = $1.split(separator: " ").map(String.init)
            $0[words[0]] = Set(words.dropFirst())
        }
    }

    /// Records an issue when the document does not say that the request may be refused with the code.
    static func expect(_ code: String, of request: WireRequest) {
        let name = Mirror(reflecting: request).children.first?.label ?? ""
        do {
            let codes = try known.get()[name] ?? []
            #expect(codes.contains(code), "\(name) is refused with \(code), which docs/asyncapi.yaml does not say")
        } catch {
            Issue.record(error)
        }
    }
}
