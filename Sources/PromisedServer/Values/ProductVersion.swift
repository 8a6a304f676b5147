internal import PromisedConcurrency
internal import PromisedTransport

/// Why a server could not start; its description is a sentence for people.
package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and where possible what to do.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// The version of the product.
package enum ProductVersion {
    /// Major, minor and patch, as `/version` and `promised version` show it.
    package static let text = "0.1.0"
}

/// Whether the server can serve; asked from service threads, so it is kept rather than found out.
final class Readiness: Sendable {
    private struct State: Sendable {
        var isWritable = true
        var isDraining = false
    }

    private let state = Guarded(State())

    /// Whether the storage was writable when it was last looked at, and the server is not being stopped.
    var isReady: Bool { state.withLock { $0.isWritable && !$0.isDraining } }
    func note(isWritable: Bool) { state.withLock { $0.isWritable = isWritable } }
    func startDraining() { state.withLock { $0.isDraining = true } }
}
