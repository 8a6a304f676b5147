public import PromisedDomain
public import PromisedProtocol
internal import SwiftProtobuf

extension WireEvent.OneOf_What {
    /// What an event without a number says on the wire.
    public init(_ event: PassingEvent) {
        switch event {
        case .presence(let presences):
            self = .presence(.with { $0.presences = presences.map { WirePresence($0) } })
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
        case .pace(_, let nextReport): self = .pace(.with { $0.nextReportMs = TimeSpan.wireMs(nextReport) })
        }
    }
}
