package import PromisedDomain
package import PromisedPlaces
package import PromisedProtocol

extension WirePromise {
    /// A promise with some of its participants.
    ///
    /// - Parameters:
    ///   - status: its current status.
    ///   - participants: all, or only the caller in a list.
    ///   - participantCount: how many are invited or have accepted.
    package init(_ promise: Promise, status: PromiseStatus, participants: [WireParticipant], participantCount: Int) {
        self.init()
        promiseID = promise.id.wireText
        title = promise.title.bounded(characters: 60)
        note = promise.note.bounded(characters: 500)
        if !promise.isEmptied { place = WirePlace(promise.place) }
        meetsAt = WireTimestamp(promise.meetsAt)
        radiusMetres = Int32(clamping: promise.radiusMetres)
        if let penalty = promise.penalty { self.penalty = WirePenalty(penalty) }
        ownerID = promise.ownerID.wireText
        self.status = WirePromiseStatus.Value(status)
        version = UInt32(clamping: promise.version)
        opensAt = WireTimestamp(promise.opensAt)
        closesAt = WireTimestamp(promise.closesAt)
        settlesAt = WireTimestamp(promise.settlesAt)
        self.participants = participants
        rule = WireRule(of: promise)
        self.participantCount = UInt32(clamping: participantCount)
        preview = WirePromisePreview.Value(promise.preview)
    }

    /// The current state of a session.
    ///
    /// - Parameters:
    ///   - detail: how much of the participants the receiver may see.
    ///   - card: the public card of a user; called once per participant.
    package init(_ view: SessionView, detail: ParticipantDetail, card: (UserID) -> UserCard) {
        self.init(
            view.promise,
            status: view.status,
            participants: view.shownMembers.map { member in
                WireParticipant(member, of: view, card: card(member.participant.userID), detail: detail)
            },
            participantCount: view.members.count { $0.participant.membership.isIn }
        )
        courseID = view.promise.courseID?.wireText ?? ""
        guard detail == .live, let end = view.viewLinkEndsAt else { return }
        viewLinkExpiresAt = WireTimestamp(end)
        viewerCount = UInt32(clamping: view.viewerCount)
    }
}

extension WirePromisePreview.Value {
    package init(_ preview: PromisePreview) {
        self =
            switch preview {
            case .none: .none
            case .title: .title
            case .time: .time
            case .place: .place
            }
    }
}

extension PromisePreview {
    /// nil for a missing or unknown value.
    package init?(_ wire: WirePromisePreview.Value) {
        switch wire {
        case .none: self = .none
        case .title: self = .title
        case .time: self = .time
        case .place: self = .place
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}

extension WireOverlap {
    /// Another of the caller's promises with an overlapping window.
    package init(_ promise: Promise) {
        self.init()
        promiseID = promise.id.wireText
        title = promise.title.bounded(characters: 60)
        meetsAt = WireTimestamp(promise.meetsAt)
    }
}

extension WirePromiseReply {
    /// The reply to every request that creates, changes or shows one promise.
    ///
    /// - Parameter outlook: the place at the meeting time; nil if neither its hours nor the weather are known or expected.
    package init(_ promise: WirePromise, overlaps: [WireOverlap] = [], outlook: PlaceOutlook? = nil) {
        self.init()
        self.promise = promise
        self.overlaps = overlaps
        if let outlook { self.outlook = WireOutlook(outlook) }
    }
}

extension WirePromiseStatus.Value {
    package init(_ status: PromiseStatus) {
        switch status {
        case .scheduled: self = .scheduled
        case .tracking: self = .tracking
        case .settling: self = .settling
        case .final: self = .final
        case .cancelled: self = .cancelled
        }
    }
}

extension PromiseStatus {
    /// nil for an unspecified or unknown value.
    package init?(_ wire: WirePromiseStatus.Value) {
        guard let value = Self.allCases.first(where: { WirePromiseStatus.Value($0) == wire }) else { return nil }
        self = value
    }
}

extension WireLinkView {
    /// A promise as shown to viewers by link.
    ///
    /// - Parameters:
    ///   - view: with only the participants and data that viewers may see.
    ///   - endsAt: when the link expires.
    ///   - now: the server's clock.
    ///   - card: the public card of a user; called once per participant and for the owner.
    package init(_ view: SessionView, endsAt: Instant, at now: Instant, card: (UserID) -> UserCard) {
        self.init()
        promise = WirePromise(view, detail: .live, card: card)
        owner = WireUserCard(card(view.promise.ownerID))
        expiresAt = WireTimestamp(endsAt)
        serverTime = WireTimestamp(now)
    }
}

extension WireViewLink {
    /// A new link: its code, which is shown only once, and its expiry.
    package init(code: String, endsAt: Instant) {
        self.init()
        self.code = code
        expiresAt = WireTimestamp(endsAt)
    }
}
