internal import PromisedDomain

/// An item of `promises.json`: a promise as the user may read it.
struct ExportedPromise: Encodable {
    var promiseId: String
    var title: String
    var note: String
    var place: ExportedPlace
    var meetsAt: String
    var radiusMetres: Int
    var penalty: Penalty?
    var ownerId: String
    var status: String
    var version: Int
    var createdAt: String
    var opensAt: String
    var closesAt: String
    var settlesAt: String
    var cancelledAt: String?
    var cancelReason: String?
    var courseId: String?
    var preview: String
    var rule: Rule
    var participants: [Participant]
    var mine: Part
    var explanation: ExportedArrival?
    var result: ExportedResult?

    struct Rule: Encodable {
        var name: String
        var graceMs: Int64
        var mock: String
    }

    struct Participant: Encodable {
        var user: ExportedCard
        var membership: String
    }

    struct Part: Encodable {
        var membership: String
        var sharing: Bool
        var linkSharing: Bool
        var statusText: String
        var emoji: String
        var invitedAt: String
        var acceptedAt: String?
        var endedAt: String?
    }

    /// A promise; nil if the user may not read it.
    init?(_ snapshot: SessionSnapshot, of userID: UserID, cards: [UserID: UserCard], at now: Instant) {
        let promise = snapshot.promise
        guard let own = snapshot.participants.first(where: { $0.userID == userID }) else { return nil }
        let standing = Standing(of: own, in: promise)
        guard standing.mayRead else { return nil }
        promiseId = "\(promise.id)"
        title = promise.title
        note = promise.note
        place = ExportedPlace(promise.place)
        meetsAt = promise.meetsAt.rfc3339
        radiusMetres = promise.radiusMetres
        penalty = promise.penalty
        ownerId = "\(promise.ownerID)"
        status = ExportName.value(promise.status(at: now))
        version = promise.version
        createdAt = promise.createdAt.rfc3339
        opensAt = promise.opensAt.rfc3339
        closesAt = promise.closesAt.rfc3339
        settlesAt = promise.settlesAt.rfc3339
        cancelledAt = promise.cancelledAt?.rfc3339
        cancelReason = promise.cancelledAt.map { _ in promise.cancelReason }
        courseId = promise.courseID.map { "\($0)" }
        preview = ExportName.value(promise.preview)
        rule = Rule(promise.rule, grace: promise.grace)
        participants = snapshot.participants.map { participant in
            let card = ExportedCard(participant.userID, in: cards)
            return Participant(user: card, membership: ExportName.value(participant.membership))
        }
        mine = Part(own)
        explanation = snapshot.arrivals[userID].map { ExportedArrival($0, meetsAt: promise.meetsAt) }
        if standing.part != .invited { result = snapshot.result.map { ExportedResult($0, cards: cards) } }
    }
}

extension ExportedPromise.Rule {
    fileprivate init(_ rule: ArrivalRule, grace: TimeSpan) {
        self.init(name: ExportName.value(rule.name), graceMs: grace.milliseconds, mock: ExportName.value(rule.mock))
    }
}

extension ExportedPromise.Part {
    fileprivate init(_ participant: Participant) {
        self.init(
            membership: ExportName.value(participant.membership),
            sharing: participant.isSharing,
            linkSharing: participant.isLinkSharing,
            statusText: participant.statusText,
            emoji: participant.emoji,
            invitedAt: participant.invitedAt.rfc3339,
            acceptedAt: participant.acceptedAt?.rfc3339,
            endedAt: participant.endedAt?.rfc3339
        )
    }
}

struct ExportedResult: Encodable {
    var finalAt: String
    var penaltyTotal: Int64
    var rows: [Row]

    struct Row: Encodable {
        var user: ExportedCard
        var outcome: String
        var creditedAt: String?
        var secondsFromMeeting: Int
        var rank: Int
        var source: String?
        var penaltyOwed: Int32
        var excusedReason: String
        var mock: Bool
    }

    init(_ result: PromiseResult, cards: [UserID: UserCard]) {
        finalAt = result.finalAt.rfc3339
        penaltyTotal = result.penaltyTotal
        rows = result.rows.map { row in
            Row(
                user: ExportedCard(row.userID, in: cards),
                outcome: ExportName.value(row.outcome),
                creditedAt: row.creditedAt?.rfc3339,
                secondsFromMeeting: row.secondsFromMeeting,
                rank: row.rank,
                source: row.source.map { ExportName.value($0) },
                penaltyOwed: row.penaltyOwed,
                excusedReason: row.excusedReason,
                mock: row.isMock
            )
        }
    }
}

/// The user's own arrival, with the server's evidence for it.
struct ExportedArrival: Encodable {
    var stage: String
    var creditedAt: String
    var secondsFromMeeting: Int
    var source: String
    var mock: Bool
    var checkIn: CheckIn?
    var evidence: Evidence?

    struct CheckIn: Encodable {
        var at: String
        var source: String
    }

    struct Evidence: Encodable {
        var deviceId: String
        var bootId: String
        var clause: String
        var provisionalAt: String
        var confirmedAt: String?
        var firstInside: Sample
        var lastOutside: Sample?
        var fixCount: Int
        var strongCount: Int
    }

    struct Sample: Encodable {
        var time: String
        var distanceMetres: Double

        init(_ sample: ArrivalEvidence.Sample) {
            time = sample.time.rfc3339
            distanceMetres = sample.distanceMetres
        }
    }

    init(_ arrival: Arrival, meetsAt: Instant) {
        stage = ExportName.value(arrival.stage)
        creditedAt = arrival.creditedAt.rfc3339
        secondsFromMeeting = (arrival.creditedAt - meetsAt).wholeSeconds
        source = ExportName.value(arrival.source)
        mock = arrival.isMock
        checkIn = arrival.checkIn.map { CheckIn(at: $0.at.rfc3339, source: ExportName.value($0.source)) }
        evidence = arrival.evidence.map { evidence in
            Evidence(
                deviceId: evidence.device.deviceID,
                bootId: evidence.device.bootID,
                clause: ExportName.value(evidence.clause),
                provisionalAt: evidence.provisionalAt.rfc3339,
                confirmedAt: evidence.confirmedAt?.rfc3339,
                firstInside: Sample(evidence.firstInside),
                lastOutside: evidence.lastOutside.map(Sample.init),
                fixCount: evidence.fixCount,
                strongCount: evidence.strongCount
            )
        }
    }
}

/// An item of a file in `positions`.
struct ExportedFix: Encodable {
    var deviceId: String
    var bootId: String
    var seq: UInt32
    var latitude: Double
    var longitude: Double
    var accuracyMetres: Double?
    var speedMps: Double?
    var fixTime: String
    var receivedAt: String
    var mock: Bool

    init(_ archived: ArchivedFix) {
        let fix = archived.fix
        deviceId = archived.device.deviceID
        bootId = archived.device.bootID
        seq = fix.seq
        latitude = fix.coordinate.latitude
        longitude = fix.coordinate.longitude
        accuracyMetres = fix.accuracyMetres
        speedMps = fix.speedMps
        fixTime = fix.time.rfc3339
        receivedAt = fix.receivedAt.rfc3339
        mock = fix.isMock
    }
}
