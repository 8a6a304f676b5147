internal import Foundation
internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedWire

/// A promise as its owner asks for it, every field checked (domain §4, §10).
struct PromiseDraft: Hashable, Sendable {
    /// Grace beyond this would make lateness meaningless.
    static let largestGrace = TimeSpan.hours(1)

    let key: String
    let title: String
    let note: String
    let place: Place
    let meetsAt: Instant
    let radiusMetres: Int
    let penalty: Penalty?
    let rule: ArrivalRule
    /// Without repeats, in the order asked for.
    let inviteeIDs: [UserID]

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - grace: the grace of a promise that names none.
    ///   - spans: those that the promise will keep; no grace is longer than the window after the meeting (domain §6.5).
    /// - Throws: `request.invalid` with the field, `promise.limit`.
    init(
        _ request: WireCreatePromise,
        by owner: UserID,
        grace: TimeSpan,
        spans: WindowSpans
    ) throws(RequestError) {
        key = try PromiseDraft.clean(request.key, .creationKey)
        title = try PromiseDraft.clean(request.title, .title)
        note = try PromiseDraft.clean(request.note, .note)
        guard request.hasPlace else { throw RequestError(.requestInvalid, field: "place") }
        guard request.hasMeetsAt else { throw RequestError(.requestInvalid, field: "meetsAt") }
        place = try PromiseDraft.place(request.place)
        meetsAt = try RequestError.wrap { () throws(WireError) in try Instant(wire: request.meetsAt, field: "meetsAt") }
        radiusMetres =
            request.hasRadiusMetres ? try PromiseDraft.radius(request.radiusMetres) : PromiseLimits.defaultRadiusMetres
        penalty = request.hasPenalty ? try PromiseDraft.penalty(request.penalty) : nil
        rule = ArrivalRule(request.rule, defaults: ArrivalRule(grace: grace))
        let longest = min(PromiseDraft.largestGrace, spans.after)
        guard rule.grace <= longest else {
            let message = "rule.graceMs must be 0 to \(longest.milliseconds) (\(longest.inWords))."
            throw RequestError(.requestInvalid, message: message, field: "rule.graceMs")
        }
        inviteeIDs = try PromiseDraft.invitees(request.inviteeIds, owner: owner)
    }

    /// Checks that the meeting is neither too near nor too far; not for a request that is repeated.
    ///
    /// - Throws: `promise.too-soon`, `promise.too-far`.
    func requireTime(spans: WindowSpans, at now: Instant) throws(RequestError) {
        do throws(Refusal) {
            try PromiseLimits.check(meetsAt: meetsAt, spans: spans, at: now)
        } catch {
            throw RequestError(error).namingTime(spans)
        }
    }

    static func clean(_ text: String, _ rule: TextRule) throws(RequestError) -> String {
        do throws(TextProblem) {
            return try rule.clean(text)
        } catch {
            throw RequestError(error)
        }
    }

    static func place(_ wire: WirePlace) throws(RequestError) -> Place {
        let asked = try RequestError.wrap(inside: "place") { () throws(WireError) in try Place(wire) }
        // Nobody meets at (0, 0): it is what a form without coordinates sends.
        guard !asked.coordinate.isNull else {
            let message = "place.latitude and place.longitude must not both be 0."
            throw RequestError(.requestInvalid, message: message, field: "place.latitude")
        }
        return Place(
            name: try clean(asked.name, .placeName),
            address: try clean(asked.address, .placeAddress),
            coordinate: asked.coordinate
        )
    }

    static func radius(_ metres: Int32) throws(RequestError) -> Int {
        guard PromiseLimits.radiusMetres.contains(Int(metres)) else {
            throw RequestError(.requestInvalid, field: "radiusMetres")
        }
        return Int(metres)
    }

    static func penalty(_ wire: WirePenalty) throws(RequestError) -> Penalty {
        let penalty = try RequestError.wrap(inside: "penalty") { () throws(WireError) in try Penalty(wire) }
        guard Locale.commonISOCurrencyCodes.contains(penalty.currency) else {
            throw RequestError(.requestInvalid, field: "penalty.currency")
        }
        return penalty
    }

    private static func invitees(_ texts: [String], owner: UserID) throws(RequestError) -> [UserID] {
        let ids = try RequestError.wrap { () throws(WireError) in try UserID.list(wire: texts, field: "inviteeIds") }
        if let mine = ids.firstIndex(of: owner) {
            throw RequestError(.requestInvalid, message: "The owner takes part anyway.", field: "inviteeIds[\(mine)]")
        }
        var known = Set<UserID>()
        let invitees = ids.filter { known.insert($0).inserted }
        guard invitees.count < PromiseLimits.participants else {
            throw RequestError(.promiseLimit, field: "inviteeIds")
        }
        return invitees
    }
}
