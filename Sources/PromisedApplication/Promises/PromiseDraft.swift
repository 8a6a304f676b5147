internal import Foundation
internal import PromisedAccess
package import PromisedDomain
internal import PromisedSettings

/// A promise as requested by its owner, every field checked (domain §4, §10).
package struct PromiseDraft: Hashable, Sendable {
    /// The largest grace: beyond it lateness would be meaningless.
    package static let largestGrace = TimeSpan.hours(1)

    /// Identifies the request, so that it can be repeated.
    package let key: String
    package let title: String
    package let note: String
    /// For a place of the directory only the id is used.
    package let place: Place
    package let meetsAt: Instant
    package let radiusMetres: Int
    package let penalty: Penalty?
    package let rule: ArrivalRule
    /// Without repeats, in the requested order.
    package let inviteeIDs: [UserID]
    /// A course of the owner; nil without one.
    package var courseID: CourseID?
    /// The data that the invite link shows.
    package var preview = PromisePreview.time
    /// A hash of the request without the key. Requests that differ only in notation, in explicit defaults or in the
    /// order of invitees have the same content.
    package var contentHash: [UInt8] = []

    /// Checks a request. Parses values that may be malformed in the order of the fields, so that the first fault in
    /// that order is reported.
    ///
    /// - Parameters:
    ///   - radiusMetres: nil for the default.
    ///   - spans: the spans of the promise; no grace is longer than the window after the meeting (domain §6.5).
    /// - Throws: `TextProblem`, `invalid` with the field, `promiseLimit`.
    package init(
        key: String,
        title: String,
        note: String,
        place: @autoclosure () throws -> Place?,
        meetsAt: @autoclosure () throws -> Instant?,
        radiusMetres: Int?,
        penalty: @autoclosure () throws -> Penalty?,
        rule: ArrivalRule,
        inviteeIDs: @autoclosure () throws -> [UserID],
        by owner: UserID,
        spans: WindowSpans
    ) throws {
        self.key = try TextRule.creationKey.clean(key)
        self.title = try TextRule.title.clean(title)
        self.note = try TextRule.note.clean(note)
        guard let place = try place() else { throw Refusal.invalid(field: "place") }
        self.place = try PromiseDraft.checked(place)
        guard let meetsAt = try meetsAt() else { throw Refusal.invalid(field: "meetsAt") }
        self.meetsAt = meetsAt
        self.radiusMetres =
            try radiusMetres.map(PromiseDraft.checked(radiusMetres:)) ?? PromiseLimits.defaultRadiusMetres
        self.penalty = try penalty().map(PromiseDraft.checked)
        self.rule = rule
        let longest = min(PromiseDraft.largestGrace, spans.after)
        guard rule.grace <= longest else {
            let message = "rule.graceMs must be 0 to \(longest.milliseconds) (\(longest.inWords))."
            throw ApplicationError.refused(.invalid(field: "rule.graceMs"), message: message)
        }
        self.inviteeIDs = try PromiseDraft.checked(inviteeIDs(), owner: owner)
    }

    /// Checks that the meeting is neither too near nor too far; skipped for a repeated request. Throws
    /// `promiseTooSoon`, `promiseTooFar`.
    func requireTime(spans: WindowSpans, at now: Instant) throws {
        do throws(Refusal) {
            try PromiseLimits.check(meetsAt: meetsAt, spans: spans, at: now)
        } catch {
            throw error.namingTime(spans)
        }
    }

    func promise(
        of owner: UserID,
        at place: Place,
        spans: WindowSpans,
        at now: Instant,
        using generator: inout some RandomNumberGenerator
    ) -> Promise {
        Promise(
            id: PromiseID(at: now, using: &generator),
            ownerID: owner,
            title: title,
            note: note,
            place: place,
            meetsAt: meetsAt,
            radiusMetres: radiusMetres,
            penalty: penalty,
            rule: rule,
            spans: spans,
            createdAt: now,
            courseID: courseID,
            preview: preview,
            epoch: PromiseID(at: now, using: &generator).description
        )
    }

    /// The owner, who has accepted from the start, and the invitees.
    func participants(with owner: UserID, at now: Instant) -> [Participant] {
        [Participant(userID: owner, membership: .accepted, invitedAt: now, acceptedAt: now)]
            + inviteeIDs.map { Participant(userID: $0, membership: .invited, invitedAt: now) }
    }

    // MARK: - Fields shared with edits

    /// A place with its texts cleaned. Refuses (0, 0), which a form without coordinates sends. For a place of the
    /// directory only the id is used: ``Promises`` copies the rest from there.
    package static func checked(_ place: Place) throws -> Place {
        guard place.placeID == nil else { return place }
        guard !place.coordinate.isNull else {
            let message = "place.latitude and place.longitude must not both be 0."
            throw ApplicationError.refused(.invalid(field: "place.latitude"), message: message)
        }
        return Place(
            name: try TextRule.placeName.clean(place.name),
            address: try TextRule.placeAddress.clean(place.address),
            coordinate: place.coordinate
        )
    }

    package static func checked(radiusMetres: Int) throws -> Int {
        guard PromiseLimits.radiusMetres.contains(radiusMetres) else { throw Refusal.invalid(field: "radiusMetres") }
        return radiusMetres
    }

    /// A penalty in a current currency.
    package static func checked(_ penalty: Penalty) throws -> Penalty {
        guard Locale.commonISOCurrencyCodes.contains(penalty.currency) else {
            throw Refusal.invalid(field: "penalty.currency")
        }
        return penalty
    }

    private static func checked(_ ids: [UserID], owner: UserID) throws -> [UserID] {
        if let mine = ids.firstIndex(of: owner) {
            let field = "inviteeIds[\(mine)]"
            throw ApplicationError.refused(
                .invalid(field: field),
                message: "The owner is already a participant: do not invite the owner."
            )
        }
        let invitees = ids.withoutRepeats
        guard invitees.count < PromiseLimits.participants else {
            throw ApplicationError.refused(.promiseLimit, field: "inviteeIds")
        }
        return invitees
    }
}

extension [UserID] {
    /// The ids without repeats, in order of first occurrence.
    var withoutRepeats: [UserID] {
        var known = Set<UserID>()
        return filter { known.insert($0).inserted }
    }
}

extension PromiseEdit {
    /// An edit as requested by an owner, every field checked (domain §10); nil and empty leave a value unchanged.
    /// Throws `TextProblem`, `invalid` with the field.
    package init(
        version: Int,
        title: String?,
        note: String?,
        place: @autoclosure () throws -> Place?,
        meetsAt: @autoclosure () throws -> Instant?,
        radiusMetres: Int?,
        penalty: @autoclosure () throws -> Penalty?,
        invite: @autoclosure () throws -> [UserID],
        remove: @autoclosure () throws -> [UserID]
    ) throws {
        self.init(version: version)
        self.title = try title.map { title throws in try TextRule.title.clean(title) }
        self.note = try note.map { note throws in try TextRule.note.clean(note) }
        self.place = try place().map(PromiseDraft.checked)
        self.meetsAt = try meetsAt()
        self.radiusMetres = try radiusMetres.map(PromiseDraft.checked(radiusMetres:))
        self.penalty = try penalty().map(PromiseDraft.checked)
        self.invite = try invite().withoutRepeats
        self.remove = try remove().withoutRepeats
        if let both = self.remove.firstIndex(where: self.invite.contains) {
            let message = "A request cannot both invite and remove the same user."
            throw ApplicationError.refused(.invalid(field: "remove[\(both)]"), message: message)
        }
    }
}
