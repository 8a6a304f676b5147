package import PromisedProtocol

/// The process that serves, as administrators see it. Implemented by the owner of its files and sockets.
package protocol HostProcess: Sendable {
    /// The version of the product.
    var version: String { get }
    /// The memory in use.
    var residentBytes: Int { get }

    /// Runs the health checks.
    func checks() async -> [WireAdminHealthCheck]
}
