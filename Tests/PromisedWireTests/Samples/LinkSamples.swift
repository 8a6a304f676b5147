import PromisedProtocol
import SwiftProtobuf

/// Messages about view links and codes that sign in once, with every field filled.
enum LinkSamples {
    private typealias Values = SampleValues

    static let requests: [WireRequest] = [
        .createViewLink(
            .with {
                $0.promiseID = Values.promiseID
                $0.expiresInMs = 3_600_000
            }
        ),
        .revokeViewLink(.with { $0.promiseID = Values.promiseID }),
        .setLinkSharing(
            .with {
                $0.promiseID = Values.promiseID
                $0.on = true
            }
        ),
        .watchByLink(.with { $0.code = "qGd0mJ2yU0VtK3bH9sX4pLw7ZrNcEaTf" }),
        .exchangeCode(.with { $0.code = "Zk1vR8uYbQ5nWc3xHs7TgLp0JmDf2AeS" }),
    ]

    static let contents: [WireContent] = [
        .viewLink(
            .with {
                $0.code = "qGd0mJ2yU0VtK3bH9sX4pLw7ZrNcEaTf"
                $0.expiresAt = Values.timestamp(3_600_000)
            }
        ),
        .linkView(view),
    ]

    static let durable: [WireEvent.OneOf_What] = [
        .viewLinkCreated(.with { $0.expiresAt = Values.timestamp(3_600_000) }),
        .viewLinkRevoked(WireEvent.ViewLinkRevoked()),
    ]

    static let passing: [WireEvent.OneOf_What] = [
        .viewersChanged(.with { $0.count = 4 }),
        .linkSharingChanged(
            .with {
                $0.userID = Values.userID
                $0.on = true
            }
        ),
        .linkViewChanged(.with { $0.view = view }),
    ]

    private static let view = WireLinkView.with {
        $0.promise = Values.promise
        $0.promise.note = ""
        $0.promise.clearPenalty()
        $0.promise.clearViewLinkExpiresAt()
        $0.promise.viewerCount = 0
        $0.promise.participantCount = 1
        $0.owner = Values.card
        $0.expiresAt = Values.timestamp(3_600_000)
        $0.serverTime = Values.timestamp(250)
    }
}
