internal import Foundation
package import PromisedDomain

/// The time of the world, which the server's clock may run ahead of: administrators' tokens live by it.
package enum RealTime {
    /// The present instant, by the machine's wall clock.
    package static var now: Instant {
        Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }
}
