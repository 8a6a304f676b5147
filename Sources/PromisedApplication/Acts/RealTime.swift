internal import Foundation
package import PromisedDomain

/// Real time, which the server's clock may run ahead of: administrators' tokens use it.
package enum RealTime {
    /// The present instant, by the machine's wall clock.
    package static var now: Instant { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded())) }
}
