extension ConnectionLoop {
    func look(at channel: Channel) {
        guard let socket = channel.socket else { return }
        switch channel.deadlines.verdict(at: timers.now) {
        case .ping: settle(writer.ping(channel, on: socket), of: channel)
        case .silent: beginClose(channel, .silent, abandoningQueue: true)
        case .notAdmitted: beginClose(channel, .notAdmitted)
        case .messageTooSlow: beginClose(channel, .messageTooSlow, abandoningQueue: true)
        case .cut: cut(channel, socket)
        case nil: break
        }
        timers.set(for: channel)
    }

    /// Cuts a connection. A later step of the library may undo this, so it is repeated until the connection has ended.
    func giveUp(_ channel: Channel) {
        guard let socket = channel.socket else { return }
        socket.kill()
        channel.deadlines.giveUp(at: timers.now)
        timers.set(for: channel)
    }

    private func cut(_ channel: Channel, _ socket: LibrarySocket) {
        channel.client?.hasTimedOut = true
        socket.kill()
    }
}
