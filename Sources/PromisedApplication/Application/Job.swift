/// Background work: a name, where it runs if there are several nodes, and the work.
package struct Job: Sendable {
    /// Where a job runs. With one node, each job runs on it.
    package enum Scope: String, Sendable, CaseIterable {
        /// On every node: it works on what that node holds in memory, on its disk or on its connections, or its steps are
        /// claimed in the store, so that two nodes never take the same one.
        case everyNode
        /// On one node at a time: it scans what all nodes share, or it may have only one writer. Two at once for a moment
        /// do no harm, because each step is guarded by its rows; none at all for a while only delays the work.
        case oneNode
        /// On every node, for the promises that this node owns: the next owner of a promise continues the work.
        case owner
    }

    /// A short name of lower-case words, unique in a server.
    package let name: String
    package let scope: Scope
    private let body: @Sendable () async -> Void

    /// - Parameter body: works until its task is cancelled, then finishes what it must not leave, and returns.
    package init(_ name: String, _ scope: Scope, _ body: @escaping @Sendable () async -> Void) {
        self.name = name
        self.scope = scope
        self.body = body
    }

    /// A job that repeats something, first at once, then after pauses of the same length.
    ///
    /// - Parameter clock: measures the pauses; usually real time.
    package init(
        _ name: String,
        _ scope: Scope,
        every pause: Duration,
        of clock: any Clock<Duration> = .continuous,
        _ step: @escaping @Sendable () async -> Void
    ) {
        self.init(name, scope) {
            // Sleeping throws only if the task is cancelled.
            repeat { await step() } while (try? await clock.sleep(for: pause)) != nil
        }
    }

    /// Works until the task is cancelled, or until the settings leave nothing to do. Call this once.
    package func run() async { await body() }
}
