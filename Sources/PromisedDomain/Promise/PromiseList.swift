/// The lists of a user's promises (domain §4).
package enum PromiseList: String, Hashable, Sendable, CaseIterable {
    /// Accepted and scheduled; earliest first.
    case upcoming
    /// Accepted, and tracking or settling; earliest first.
    case tracking
    /// Final or cancelled, if the user accepted and stayed, or left after the window opened; latest first.
    case past
    /// Invited and unanswered before the end of the window; earliest first.
    case invited
}

/// A promise in the caller's list.
package struct ListedPromise: Hashable, Sendable {
    package var promise: Promise
    package var participant: Participant
    /// How many users are invited or have accepted, including the owner.
    package var participantCount: Int

    package init(promise: Promise, participant: Participant, participantCount: Int) {
        self.promise = promise
        self.participant = participant
        self.participantCount = participantCount
    }

    /// The cursor after this item.
    package var cursor: PromiseCursor { PromiseCursor(meetsAt: promise.meetsAt, promiseID: promise.id) }
}

/// A promise in an administrator's list.
package struct CountedPromise: Hashable, Sendable {
    package var promise: Promise
    /// How many users are invited or have accepted, including the owner.
    package var participantCount: Int

    package init(promise: Promise, participantCount: Int) {
        self.promise = promise
        self.participantCount = participantCount
    }

    /// The cursor after this promise.
    package var cursor: PromiseCursor { PromiseCursor(meetsAt: promise.meetsAt, promiseID: promise.id) }
}

/// The end of a page of promises; the lists are sorted by meeting time, then by id.
package struct PromiseCursor: Hashable, Sendable, CustomStringConvertible {
    /// The meeting time of the last promise shown.
    package var meetsAt: Instant
    /// The last promise shown.
    package var promiseID: PromiseID

    package init(meetsAt: Instant, promiseID: PromiseID) {
        self.meetsAt = meetsAt
        self.promiseID = promiseID
    }

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == PromiseCursor.kind, parts.text.isEmpty else { return nil }
        self.init(
            meetsAt: Instant(milliseconds: parts.number),
            promiseID: PromiseID(high: parts.id.high, low: parts.id.low)
        )
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        CursorText(
            kind: PromiseCursor.kind,
            number: meetsAt.milliseconds,
            id: (promiseID.high, promiseID.low),
            text: ""
        ).description
    }

    private static let kind = UInt8(ascii: "p")
}

/// The counts of items that need a user's attention.
package struct Unread: Hashable, Sendable {
    /// Incoming friend requests.
    package var friendRequests: Int
    /// Invitations to promises whose window has not closed.
    package var invitations: Int
    /// Unread notifications.
    package var notifications: Int

    package init(friendRequests: Int, invitations: Int, notifications: Int = 0) {
        self.friendRequests = friendRequests
        self.invitations = invitations
        self.notifications = notifications
    }
}
