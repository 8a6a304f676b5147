internal import Foundation
package import PromisedDomain
package import PromisedEngine

/// Real time, which the server's clock may run ahead of: administrators' tokens, uploads and exports use it.
package enum RealTime {
    /// The present instant, by the machine's wall clock.
    package static var now: Instant { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded())) }

    /// A clock for work that takes real time: the server's own unless that is scaled.
    package static func clock(beside clock: any WallClock) -> any WallClock {
        clock.rate == 1 ? clock : ScaledClock(start: now)
    }
}
