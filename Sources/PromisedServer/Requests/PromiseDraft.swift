internal import PromisedDomain
internal import PromisedWire

/// A promise as its owner asks for it, every field checked (domain §4, §10).
struct PromiseDraft: Sendable {
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
    /// - Throws: `request.invalid` with the field, `promise.too-soon`, `promise.too-far`, `promise.limit`.
    init(
        _ request: WireCreatePromise,
        by owner: UserID,
        grace: TimeSpan,
        spans: WindowSpans,
        at now: Instant
    ) throws(RequestError) {
        key = try PromiseDraft.clean(request.key, .creationKey)
        title = try PromiseDraft.clean(request.title, .title)
        note = try PromiseDraft.clean(request.note, .note)
        guard request.hasPlace else { throw RequestError(.requestInvalid, field: "place") }
        guard request.hasMeetsAt else { throw RequestError(.requestInvalid, field: "meetsAt") }
        let asked = try RequestError.wrap(inside: "place") { () throws(WireError) in try Place(request.place) }
        place = Place(
            name: try PromiseDraft.clean(asked.name, .placeName),
            address: try PromiseDraft.clean(asked.address, .placeAddress),
            coordinate: asked.coordinate
        )
        meetsAt = try RequestError.wrap { () throws(WireError) in try Instant(wire: request.meetsAt, field: "meetsAt") }
        radiusMetres = request.hasRadiusMetres ? Int(request.radiusMetres) : PromiseLimits.defaultRadiusMetres
        guard PromiseLimits.radiusMetres.contains(radiusMetres) else {
            throw RequestError(.requestInvalid, field: "radiusMetres")
        }
        penalty =
            request.hasPenalty
            ? try RequestError.wrap(inside: "penalty") { () throws(WireError) in try Penalty(request.penalty) } : nil
        rule = ArrivalRule(request.rule, defaults: ArrivalRule(grace: grace))
        guard rule.grace <= PromiseDraft.largestGrace else {
            throw RequestError(.requestInvalid, field: "rule.graceMs")
        }
        inviteeIDs = try PromiseDraft.invitees(request.inviteeIds, owner: owner)
        do throws(Refusal) {
            try PromiseLimits.check(meetsAt: meetsAt, spans: spans, at: now)
        } catch {
            throw RequestError(error)
        }
    }

    static func clean(_ text: String, _ rule: TextRule) throws(RequestError) -> String {
        do throws(TextProblem) {
            return try rule.clean(text)
        } catch {
            throw RequestError(error)
        }
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
