internal import PromisedConcurrency
internal import PromisedTransport

/// Why a server could not start; its description is a sentence for people.
package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, and if possible the remedy.
    package let description: String

    init(_ description: String) { self.description = description }
}

package enum ProductVersion {
    /// Major, minor and patch, as shown by `/version` and `promised version`.
    package static let text = "0.1.0"
}

/// The readiness of the server, stored for service threads.
final class Readiness: Sendable {
    private struct State: Sendable {
        var isWritable = true
        var isDraining = false
    }

    private let state = Guarded(State())

    /// `true` if the storage was writable at the last check and the server is not shutting down.
    var isReady: Bool { state.withLock { $0.isWritable && !$0.isDraining } }
    func note(isWritable: Bool) { state.withLock { $0.isWritable = isWritable } }
    func startDraining() { state.withLock { $0.isDraining = true } }
}
