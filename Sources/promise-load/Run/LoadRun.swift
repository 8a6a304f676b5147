/// One run: connects all seats, warms up, measures.
struct LoadRun: Sendable {
    /// The interval of sampling the peer's memory.
    private static let sampleEvery = Duration.seconds(10)

    let plan: LoadPlan
    let connections: Int
    let members: Int

    /// Performs the run.
    ///
    /// - Parameters:
    ///   - stage: the peer.
    ///   - background: the background users, who prepare before the phones connect.
    ///   - workers: creates the connecting workers; called after the idle peer was sampled.
    func measure(
        _ stage: Stage,
        background: BackgroundWork?,
        by workers: () throws -> any LoadWorkers
    ) async throws -> LoadReport {
        let idle = stage.pid.flatMap(ProcessSample.init)
        try await background?.prepare()
        StatusOutput.tell("connecting \(connections) to \(stage.server)")
        let (ranges, told) = AsyncStream.makeStream(of: Range<LoadTime>.self, bufferingPolicy: .bufferingNewest(1))
        async let measured = follow(stage.pid, background, when: ranges)
        var tally = try await workers().run {
            let range = planned()
            told.yield(range)
            told.finish()
            return range
        }
        let usage: PeerUsage
        (usage, tally.background) = try await measured
        return LoadReport(
            plan: plan,
            background: background?.plan ?? BackgroundPlan(),
            connections: connections,
            members: members,
            tally: tally,
            idle: idle,
            usage: usage
        )
    }

    /// The measured time, if all seats are subscribed now.
    private func planned() -> Range<LoadTime> {
        StatusOutput.tell("all connections are subscribed; warming up for \(Int(plan.warmUp.inSeconds)) s")
        let from = LoadTime.now + max(plan.warmUp, .milliseconds(100))
        return from..<from + plan.duration
    }

    /// Waits until the measured time is known, samples the peer in it and runs the background users until it ends.
    private func follow(
        _ pid: Int32?,
        _ background: BackgroundWork?,
        when ranges: AsyncStream<Range<LoadTime>>
    ) async throws -> (PeerUsage, BackgroundTally) {
        for await range in ranges {
            async let work = background?.run(in: range)
            return (try await watch(pid, during: range), await work ?? BackgroundTally())
        }
        return (PeerUsage(), BackgroundTally())
    }

    /// Samples the peer at the beginning and the end of the measured time, and its memory in between.
    private func watch(_ pid: Int32?, during range: Range<LoadTime>) async throws -> PeerUsage {
        var usage = PeerUsage()
        guard let pid else { return usage }
        try await LoadTime.sleep(until: range.lowerBound)
        usage.first = ProcessSample(pid: pid)
        var next = range.lowerBound + Self.sampleEvery
        while next < range.upperBound {
            try await LoadTime.sleep(until: next)
            if let sample = ProcessSample(pid: pid) {
                usage.memory.append(
                    PeerUsage.Memory(second: (next - range.lowerBound).inSeconds, bytes: sample.memoryBytes)
                )
            }
            next = next + Self.sampleEvery
        }
        try await LoadTime.sleep(until: range.upperBound)
        usage.last = ProcessSample(pid: pid)
        return usage
    }
}
