internal import PromisedProtocol

extension PromisedClient {
    /// Pings a server that has sent nothing for half of the settings' silence, and closes the connection when the other
    /// half passes without an answer; until the task is cancelled. Returns at once where the transport does both.
    func watchSilence(of link: some ClientLink) async {
        guard !link.watchesSilence else { return }
        let half = settings.silence / 2
        // When the last ping was sent, and when the server had been heard before that.
        var ping: (sentAt: Duration, heardBefore: Duration)?
        do {
            while true {
                let (now, heard) = (time.uptime, heardAt)
                if let ping, ping.heardBefore == heard {
                    if now >= ping.sentAt + half { return link.close(code: CloseCode.silent.rawValue) }
                    try await time.sleep(until: ping.sentAt + half)
                } else if now >= heard + half {
                    link.ping()
                    ping = (now, heard)
                } else {
                    try await time.sleep(until: heard + half)
                }
            }
        } catch {
            // Cancelled: the connection has ended.
        }
    }
}
