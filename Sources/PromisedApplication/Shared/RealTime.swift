internal import Foundation
package import PromisedDomain
package import PromisedEngine

/// Real time, for administrators' tokens, uploads and exports: a scaled server clock differs from it.
package enum RealTime {
    /// The current time by the machine's wall clock.
    package static var now: Instant { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded())) }

    /// A clock for work that takes real time: the server's clock unless it is scaled.
    package static func clock(beside clock: any WallClock) -> any WallClock {
        clock.rate == 1 ? clock : ScaledClock(start: now)
    }
}
