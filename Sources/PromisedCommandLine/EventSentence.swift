package import PromisedProtocol

/// The sentence for terminal users about each event that is more than a position.
package struct EventSentence {
    private let name: (String) -> String
    private let time: (WireTimestamp) -> String

    /// Sentences with names in place of user ids.
    ///
    /// - Parameters:
    ///   - name: the name of a user.
    ///   - time: an instant as text.
    package init(name: @escaping (String) -> String, time: @escaping (WireTimestamp) -> String) {
        self.name = name
        self.time = time
    }

    /// The sentence about an event; nil for one that is shown in another way (positions, arrivals) or not at all.
    package func text(of what: WireEvent.OneOf_What?) -> String? {
        switch what {
        case .invited(let event): "\(event.user.nickname.printable) was invited"
        case .joined(let event): "\(event.user.nickname.printable) joined"
        case .declined(let event): "\(event.user.nickname.printable) declined"
        case .left(let event): "\(event.user.nickname.printable) left"
        case .removed(let event): "\(event.user.nickname.printable) was removed"
        case .handedOver(let event): "\(name(event.ownerID)) is the owner now"
        case .edited: "the promise was edited"
        case .cancelled(let event): "cancelled\(event.reason.isEmpty ? "" : ": \(event.reason.printable)")"
        case .trackingStarted: "tracking started"
        case .meetingTime: "meeting time"
        case .late(let event):
            event.userIds.isEmpty ? "nobody is late" : "late: \(event.userIds.map(name).joined(separator: ", "))"
        case .trackingEnded: "tracking ended"
        case .resultFinal: "the result is final"
        case .excused(let event): "\(event.row.user.nickname.printable) is excused"
        case .viewLinkCreated(let event): "a view link was created, valid until \(time(event.expiresAt))"
        case .viewLinkRevoked: "the view link was revoked"
        default: nil
        }
    }
}

extension String {
    /// The text on one line, without characters that move the cursor or change other text, because it comes from other
    /// users.
    ///
    /// Control characters and those that change the direction of text become U+FFFD; line breaks become spaces.
    package var printable: String { String(String.UnicodeScalarView(unicodeScalars.map(Self.printable))) }

    private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: " "
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }
}
