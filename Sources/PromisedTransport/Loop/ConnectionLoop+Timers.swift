import CWebSockets
import CoreMetrics

extension ConnectionLoop {
    /// Metrics hear of what was counted once in so many ticks.
    private static let ticksPerReport = 4

    /// The ticker: moves the clock and the wheel, and does what is due.
    func tick() {
        let instant = ContinuousClock.now
        clock.tick(at: instant)
        noteLag(at: instant)
        for (id, instant) in wheel.advance(to: clock.now) {
            guard let channel = table[id], channel.timer == instant else { continue }
            channel.timer = nil
            look(at: channel)
        }
        resumeAccepting()
        adjustGathering()
        tickCount &+= 1
        if tickCount % Self.ticksPerReport == 0 {
            traffic.report(to: metrics)
            metrics.connections.record(table.count)
        }
        surveyOutboxes(at: instant)
        advanceStop()
    }

    /// How much later than asked for this tick came after the last one.
    private func noteLag(at instant: ContinuousClock.Instant) {
        if let lastTick {
            metrics.loopLag.record(max(.zero, instant - lastTick - timing.resolution) / .seconds(1))
        }
        lastTick = instant
    }

    /// Adds up what waits; rarely, for it looks at every connection.
    private func surveyOutboxes(at instant: ContinuousClock.Instant) {
        guard instant >= nextSurvey else { return }
        nextSurvey = instant + .seconds(5)
        var frames = 0
        var bytes = 0
        var largest = 0
        for channel in table.elements {
            frames += channel.outbox.frameCount
            bytes += channel.outbox.byteCount
            largest = max(largest, channel.outbox.byteCount)
        }
        metrics.outboxFrames.record(frames)
        metrics.outboxBytes.record(bytes)
        metrics.largestOutbox.record(largest)
    }

    /// Sees to it that the connection is looked at no later than at its next deadline as things stand. A timer that
    /// fires earlier is left alone, so that no peer can pile up timers.
    func setTimer(of channel: Channel) {
        guard let next = channel.deadlines.next else { return }
        if let timer = channel.timer, timer <= next { return }
        channel.timer = next
        wheel.schedule((channel.id, next), at: next)
    }

    private func look(at channel: Channel) {
        guard let wsi = channel.wsi else { return }
        switch channel.deadlines.verdict(at: clock.now) {
        case .ping: ping(channel, wsi)
        case .silent: beginClose(channel, .silent, abandoningQueue: true)
        case .notAdmitted: beginClose(channel, .notAdmitted)
        case .messageTooSlow: beginClose(channel, .messageTooSlow, abandoningQueue: true)
        case .cut: cut(channel, wsi)
        case nil: break
        }
        setTimer(of: channel)
    }

    /// Cuts a connection. A step of the library's may take the order back, so it is given again until the connection has
    /// gone.
    func giveUp(_ channel: Channel) {
        guard let wsi = channel.wsi else { return }
        cws_kill(wsi)
        channel.deadlines.giveUp(at: clock.now)
        setTimer(of: channel)
    }

    private func cut(_ channel: Channel, _ wsi: OpaquePointer) {
        channel.client?.hasTimedOut = true
        cws_kill(wsi)
    }
}
