package import PromisedDomain

extension SessionEvent {
    /// A random event as it may occur long before the window of a promise and after its end.
    ///
    /// Users 1 to 8 answer, join, leave, pause, show a status, make links and hand over; user 1 edits, and seldom
    /// cancels.
    package static func calm(of promise: Promise, using generator: inout some RandomNumberGenerator) -> SessionEvent {
        let user = UserID.user(.random(in: 1...8, using: &generator))
        let other = UserID.user(.random(in: 1...8, using: &generator))
        let isOn = Bool.random(using: &generator)
        switch Int.random(in: 0..<14, using: &generator) {
        case 0: return .respond(user, accept: isOn)
        case 1: return .join(user, hasRoom: true)
        case 2: return .leave(user)
        case 3: return .setSharing(user, on: isOn)
        case 4: return .setStatus(user, text: isOn ? "on my way" : "", emoji: "🚲")
        case 5: return .setLinkSharing(user, on: isOn)
        case 6: return .connection(user, isOnline: isOn)
        case 7: return .handOver(to: other, by: user)
        case 8, 9:
            guard isOn else { return .revokeViewLink(by: .user(1)) }
            let code = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
            return .makeViewLink(ViewLink(codeHash: code, createdAt: promise.createdAt), by: .user(1))
        case 10: return .excuse(other, by: .user(1), reason: isOn ? "ill" : "rain")
        case 11: return .part(user)
        case 12 where Int.random(in: 0..<6, using: &generator) == 0: return .cancel(by: .user(1), reason: "rain")
        default: return .edit(edit(of: promise, other, using: &generator), by: .user(1))
        }
    }

    /// A random edit; some of the guessed versions are right.
    private static func edit(
        of promise: Promise,
        _ other: UserID,
        using generator: inout some RandomNumberGenerator
    ) -> PromiseEdit {
        var edit = PromiseEdit(version: .random(in: 1...3, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: edit.title = "Another title"
        case 1: edit.meetsAt = promise.meetsAt + .minutes(.random(in: -10...10, using: &generator))
        case 2 where other != .user(1): edit.remove = [other]
        default: edit.invite = other == .user(1) ? [] : [other]
        }
        return edit
    }
}
