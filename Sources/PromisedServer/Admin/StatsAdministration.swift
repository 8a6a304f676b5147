internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// What the server does, in numbers.
struct StatsAdministration: Sendable {
    let store: Store
    let registry: SessionRegistry
    let connections: Connections
    let traffic: TrafficMeter
    let startedAt: ContinuousClock.Instant

    /// Answers `getStats`.
    func stats(at now: Instant) async throws(RequestError) -> AdminReply {
        let counts = try await RequestError.stored { () async throws(StoreError) in try await store.counts(at: now) }
        var reply = WireAdminStats()
        reply.users = UInt32(clamping: counts.users)
        reply.promises = PromiseStatus.allCases.map { status in
            var count = WireAdminStatusCount()
            count.status = WirePromiseStatus.Value(status)
            count.count = UInt32(clamping: counts.promises[status] ?? 0)
            return count
        }
        reply.liveSessions = UInt32(clamping: await registry.count)
        reply.connections = UInt32(clamping: connections.count)
        let (recent, seconds) = traffic.recent()
        reply.reportsPerSecond = Double(recent.reports) / seconds
        reply.deliveriesPerSecond = Double(recent.deliveries) / seconds
        reply.requestsPerSecond = Double(recent.requests) / seconds
        await add(commitTimes: &reply)
        reply.uptimeMs = startedAt.millisecondsUntilNow
        reply.version = ProductVersion.text
        reply.databaseBytes = Double(store.fileBytes)
        reply.memoryBytes = Double(ProcessReading.now().residentBytes)
        return .stats(reply)
    }

    private func add(commitTimes reply: inout WireAdminStats) async {
        let times = await store.commitTimes.sorted()
        guard let longest = times.last else { return }
        reply.commitMedianMs = times[times.count / 2] / .milliseconds(1)
        reply.commitP99Ms = (times.count < 100 ? longest : times[times.count * 99 / 100]) / .milliseconds(1)
    }
}
