public import PromisedDomain
public import PromisedProtocol

extension WireLinkView {
    /// A promise as those see it who watch by a link.
    ///
    /// - Parameters:
    ///   - view: with the participants who agreed, and nothing else that strangers must not learn.
    ///   - endsAt: when the link ends.
    ///   - now: the server's clock.
    ///   - card: what others see of a user; called once for each participant and for the owner.
    public init(_ view: SessionView, endsAt: Instant, at now: Instant, card: (UserID) -> UserCard) {
        self.init()
        promise = WirePromise(view, detail: .live, card: card)
        owner = WireUserCard(card(view.promise.ownerID))
        expiresAt = WireTimestamp(endsAt)
        serverTime = WireTimestamp(now)
    }
}

extension WireViewLink {
    /// A new link: its code, which is told this once, and when it ends.
    public init(code: String, endsAt: Instant) {
        self.init()
        self.code = code
        expiresAt = WireTimestamp(endsAt)
    }
}
