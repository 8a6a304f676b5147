internal import Logging
internal import PromisedDomain

/// What all sessions of an engine share.
struct EngineContext: Sendable {
    let archive: any PromiseArchive
    let outbox: any Outbox
    let directory: any Directory
    let clock: any WallClock
    let settings: EngineSettings
    let log: Logger
    let metrics: EngineMetrics
    let lanes: SessionLanes
    let scheduler: SessionScheduler
}
