/// One run: connects all seats, warms up, measures.
struct LoadRun: Sendable {
    /// How often the peer's memory is sampled.
    private static let sampleEvery = Duration.seconds(10)

    let plan: LoadPlan
    let connections: Int
    let members: Int

    /// Makes the run.
    ///
    /// - Parameters:
    ///   - stage: the peer.
    ///   - workers: makes the workers that connect; called after the idle peer was sampled.
    func measure(_ stage: Stage, by workers: () throws -> any LoadWorkers) async throws -> LoadReport {
        let idle = stage.pid.flatMap(ProcessSample.init)
        StatusOutput.tell("connecting \(connections) to \(stage.server)")
        let (ranges, told) = AsyncStream.makeStream(of: Range<LoadTime>.self, bufferingPolicy: .bufferingNewest(1))
        async let usage = watch(stage.pid, when: ranges)
        let tally = try await workers().run {
            let range = planned()
            told.yield(range)
            told.finish()
            return range
        }
        return LoadReport(
            plan: plan,
            connections: connections,
            members: members,
            tally: tally,
            idle: idle,
            usage: try await usage
        )
    }

    /// The measured time, if all seats are subscribed now.
    private func planned() -> Range<LoadTime> {
        StatusOutput.tell("all connections are subscribed; warming up for \(Int(plan.warmUp.inSeconds)) s")
        let from = LoadTime.now + max(plan.warmUp, .milliseconds(100))
        return from..<from + plan.duration
    }

    /// Waits until the measured time is known; there is nothing to sample before.
    private func watch(_ pid: Int32?, when ranges: AsyncStream<Range<LoadTime>>) async throws -> PeerUsage {
        for await range in ranges { return try await watch(pid, during: range) }
        return PeerUsage()
    }

    /// Samples the peer at the beginning and the end of the measured time, and its memory in between.
    private func watch(_ pid: Int32?, during range: Range<LoadTime>) async throws -> PeerUsage {
        var usage = PeerUsage()
        guard let pid else { return usage }
        try await sleep(until: range.lowerBound)
        usage.first = ProcessSample(pid: pid)
        var next = range.lowerBound + Self.sampleEvery
        while next < range.upperBound {
            try await sleep(until: next)
            if let sample = ProcessSample(pid: pid) {
                usage.memory.append(
                    PeerUsage.Memory(second: (next - range.lowerBound).inSeconds, bytes: sample.memoryBytes)
                )
            }
            next = next + Self.sampleEvery
        }
        try await sleep(until: range.upperBound)
        usage.last = ProcessSample(pid: pid)
        return usage
    }

    private func sleep(until moment: LoadTime) async throws {
        let ahead = moment - .now
        if ahead > .zero { try await Task.sleep(for: ahead, tolerance: .zero) }
    }
}
