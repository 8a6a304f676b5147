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
    let collector: PositionCollector
    let scheduler: SessionScheduler
    let registry: SessionRegistry
    /// Where sessions live; at least one.
    let executors: [any SerialExecutor]

    /// Where the session of a promise lives.
    func executor(for id: PromiseID) -> any SerialExecutor {
        executors[Int(truncatingIfNeeded: id.low % UInt64(executors.count))]
    }
}
