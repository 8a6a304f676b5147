internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedSettings

/// Shared by all parts of a server: its settings, time and chance, metrics and log.
struct ServerContext: Sendable {
    let settings: ServerSettings
    let clock: any WallClock
    let random: RandomSource
    let metrics = MetricRegistry()
    let log: Logger
}
