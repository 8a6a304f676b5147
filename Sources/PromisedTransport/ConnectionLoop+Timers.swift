import CWebSockets
import CoreMetrics

extension ConnectionLoop {
    /// The ticker: moves the clock and the wheel, and does what is due.
    func tick() {
        clock.tick(at: .now)
        for (id, instant) in wheel.advance(to: clock.now) {
            guard let channel = table[id], channel.timer == instant else { continue }
            channel.timer = nil
            look(at: channel)
        }
        resumeAccepting()
        traffic.report(to: metrics)
        metrics.connections.record(table.count)
        advanceStop()
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
        case .ping:
            channel.isPingDue = true
            lws_callback_on_writable(wsi)
        case .silent: beginClose(channel, .silent, abandoningQueue: true)
        case .notAdmitted: beginClose(channel, .notAdmitted)
        case .messageTooSlow: beginClose(channel, .messageTooSlow, abandoningQueue: true)
        case .cut: cut(channel, wsi)
        case nil: break
        }
        setTimer(of: channel)
    }

    private func cut(_ channel: Channel, _ wsi: OpaquePointer) {
        channel.client?.hasTimedOut = true
        cws_kill(wsi)
    }
}
