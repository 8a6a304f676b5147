package import PromisedDomain
package import PromisedPlaces
package import PromisedProtocol
internal import SwiftProtobuf

extension WireEvent {
    /// An event of a promise, passing or durable. `seq` is the number of a durable event, 0 for a passing one.
    package init(_ what: OneOf_What, of promise: PromiseID, seq: UInt32 = 0, at instant: Instant) {
        self.init()
        promiseID = promise.wireText
        self.seq = seq
        at = WireTimestamp(instant)
        self.what = what
    }

    /// An event for one user, outside any promise.
    package init(personal what: OneOf_What, at instant: Instant) {
        self.init()
        at = WireTimestamp(instant)
        self.what = what
    }

    /// A durable event of a session, for all recipients, so without positions.
    ///
    /// - Parameters:
    ///   - view: the session after the event; the source of promises, results and excused rows.
    ///   - card: the public card of a user.
    package init(_ numbered: NumberedEvent, in view: SessionView, card: (UserID) -> UserCard) {
        self.init(
            OneOf_What(numbered.event, in: view, card: card),
            of: view.promise.id,
            seq: UInt32(clamping: numbered.seq),
            at: numbered.at
        )
    }

    /// The live positions that changed, as one passing event.
    ///
    /// - Parameter nextReport: from now to the session's slot; nil to stop reporting.
    package init(positions: [LivePosition], of promise: PromiseID, nextReport: TimeSpan?, at instant: Instant) {
        var wire = Positions()
        wire.positions = positions.map { WirePosition($0) }
        wire.nextReportMs = TimeSpan.wireMs(nextReport)
        self.init(.positions(wire), of: promise, at: instant)
    }

    /// An unnumbered event of a session.
    package init(passing event: PassingEvent, of promise: PromiseID, at instant: Instant) {
        self.init(OneOf_What(event), of: promise, at: instant)
    }
}

extension WireEvent.OneOf_What {
    package init(_ event: PassingEvent) {
        switch event {
        case .presence(let presences): self = .presence(.with { $0.presences = presences.map { WirePresence($0) } })
        case .estimate(let userID, let estimate):
            self = .eta(
                .with {
                    $0.userID = userID.wireText
                    $0.eta = WireEta(estimate)
                }
            )
        case .sharing(let userID, let on):
            self = .sharingChanged(
                .with {
                    $0.userID = userID.wireText
                    $0.on = on
                }
            )
        case .status(let userID, let text, let emoji):
            self = .statusChanged(
                .with {
                    $0.userID = userID.wireText
                    $0.text = text.bounded(characters: 80)
                    $0.emoji = emoji.bounded(characters: 1)
                }
            )
        case .nudged(let from, let userID):
            self = .nudged(
                .with {
                    $0.from = from.wireText
                    $0.userID = userID.wireText
                }
            )
        case .viewers(let count): self = .viewersChanged(.with { $0.count = UInt32(clamping: count) })
        case .linkSharing(let userID, let on):
            self = .linkSharingChanged(
                .with {
                    $0.userID = userID.wireText
                    $0.on = on
                }
            )
        case .cannotCount(_, let error, let limit):
            self = .cannotCount(
                .with {
                    $0.errorMetres = error
                    $0.limitMetres = limit
                }
            )
        case .pace(_, let nextReport): self = .pace(.with { $0.nextReportMs = TimeSpan.wireMs(nextReport) })
        }
    }
}

extension WireEvent.OneOf_What {
    /// For a promise's subscribers: the weather at the meeting time has changed.
    package static func weatherChanged(_ outlook: PlaceOutlook) -> Self {
        .weatherChanged(.with { $0.outlook = WireOutlook(outlook) })
    }

    /// For one user: a notification. `card` is the public card of the other user who caused it; nil if no other user
    /// did.
    package static func notification(
        _ notification: UserNotification,
        names: NotificationNames = NotificationNames(),
        card: UserCard?
    ) -> Self {
        .notification(.with { $0.notification = WireNotification(announcing: notification, names: names, card: card) })
    }

    /// For one user: the outlook of a promise, formerly pending.
    package static func outlookReady(_ outlook: PlaceOutlook, of promise: PromiseID) -> Self {
        .outlookReady(
            .with {
                $0.promiseID = promise.wireText
                $0.outlook = WireOutlook(outlook)
            }
        )
    }

    /// For one user: the outlook of a place, formerly pending.
    package static func outlookReady(_ outlook: PlaceOutlook, of place: PlaceID) -> Self {
        .outlookReady(
            .with {
                $0.placeID = place.wireText
                $0.outlook = WireOutlook(outlook)
            }
        )
    }
}
