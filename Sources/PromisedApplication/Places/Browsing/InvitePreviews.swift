package import PromisedAccess
internal import PromisedDomain
package import PromisedEngine
package import PromisedPlaces
package import PromisedSettings
internal import PromisedStore

/// The data that the link with an invite code shows before anyone joins (``PromisePreview``).
package struct InvitePreview: Hashable, Sendable {
    /// The owner's language.
    package var language: BilingualName.Language
    package var title: String
    /// The meeting time and the place, as far as the owner shows them: lines separated by LF.
    package var text: String

    package init(language: BilingualName.Language, title: String, text: String) {
        self.language = language
        self.title = title
        self.text = text
    }
}

/// Looks up invite codes without joining: for the link's page.
package struct InvitePreviews: Sendable {
    private let sessions: PromiseSessions
    private let attempts: CodeAttempts
    private let openings: PlaceOpenings
    private let clock: any WallClock

    package init(sessions: PromiseSessions, attempts: CodeAttempts, openings: PlaceOpenings, clock: any WallClock) {
        self.sessions = sessions
        self.attempts = attempts
        self.openings = openings
        self.clock = clock
    }

    /// The preview of the promise behind a code. Joins nobody and writes nothing.
    ///
    /// - Returns: nil, indistinguishably, if the code is wrong, revoked or expired, if the promise is cancelled or over,
    ///   if its owner shows nothing, or after too many wrong codes from the address.
    /// - Throws: ``PromisedStore/StoreError``.
    package func preview(of typed: String, from address: ThrottleAddress) async throws -> InvitePreview? {
        do {
            return try await attempts.trying(by: address) { try await preview(behind: typed) }
        } catch Refusal.codeInvalid {
            return nil
        } catch is TooManyAttempts {
            return nil
        }
    }

    /// Throws `codeInvalid` for a wrong code.
    private func preview(behind typed: String) async throws -> InvitePreview? {
        let now = clock.now
        guard let code = InviteCode(typed: typed),
            let id = try await sessions.store.promises.promise(invitedTo: code.text, at: now)
        else { throw Refusal.codeInvalid }
        let promise = try await sessions.wholeView(of: id).promise
        guard promise.cancelledAt == nil, now < promise.closesAt, promise.preview != .none,
            let owner = try await sessions.store.accounts.account(promise.ownerID)
        else { return nil }
        let language = BilingualName.Language(locale: owner.locale)
        var lines: [String] = []
        if promise.preview == .time || promise.preview == .place {
            let ahead = openings.aheadOfUTC(in: owner.timeZone, at: promise.meetsAt)
            lines.append(ShareTextWriter(language: language).meetingTime(promise.meetsAt, aheadOfUTCSeconds: ahead))
        }
        if promise.preview == .place { lines += [promise.place.name, promise.place.address].filter { !$0.isEmpty } }
        return InvitePreview(language: language, title: promise.title, text: lines.joined(separator: "\n"))
    }
}
