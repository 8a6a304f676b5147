import PromisedProtocol
import SwiftProtobuf

/// Wire values with a value other than the default in every field.
enum SampleValues {
    static let promiseID = "01932a4e-0000-7000-8000-0000000000a1"
    static let otherPromiseID = "01932a4e-0000-7000-8000-0000000000a2"
    static let userID = "01932a4e-0000-7000-8000-0000000000b1"
    static let otherUserID = "01932a4e-0000-7000-8000-0000000000b2"

    /// 2026-11-21T09:00:00Z and the given number of milliseconds.
    static func timestamp(_ milliseconds: Int64 = 0) -> Google_Protobuf_Timestamp {
        let sinceEpoch = 1_795_251_600_000 + milliseconds
        return Google_Protobuf_Timestamp(
            seconds: sinceEpoch / 1_000,
            nanos: Int32(sinceEpoch % 1_000) * 1_000_000
        )
    }

    static let card = WireUserCard.with {
        $0.userID = userID
        $0.nickname = "민수_7"
        $0.avatar = "fox"
        $0.picture = "01932a4e-0000-7000-8000-0000000000e2"
        $0.deleted = true
    }

    static let otherCard = WireUserCard.with {
        $0.userID = otherUserID
        $0.nickname = "ada"
        $0.avatar = "owl"
    }

    static let place = WirePlace.with {
        $0.name = "Gwanghwamun"
        $0.address = "172 Sejong-daero, Seoul"
        $0.latitude = 37.575_987
        $0.longitude = 126.976_911
    }

    static let penalty = WirePenalty.with {
        $0.amount = 5_000
        $0.currency = "KRW"
    }

    static let rule = WireRule.with {
        $0.name = .firstFix
        $0.graceMs = 60_000
        $0.mock = .reject
    }

    static let fix = WireFix.with {
        $0.seq = 17
        $0.latitude = 37.576
        $0.longitude = -126.976_9
        $0.accuracyMetres = 0
        $0.speedMps = 1.5
        $0.courseDegrees = 359.5
        $0.uptimeMs = 123_456_789.25
        $0.recordedAt = timestamp(250)
        $0.mock = false
        $0.batteryPercent = 81
    }

    static let eta = WireEta.with {
        $0.medianAt = timestamp(60_000)
        $0.lowAt = timestamp(30_000)
        $0.highAt = timestamp(120_000)
        $0.state = .atRisk
    }

    static let position = WirePosition.with {
        $0.userID = userID
        $0.seq = 17
        $0.latitude = 37.576
        $0.longitude = 126.976_9
        $0.accuracyMetres = 12.5
        $0.fixTime = timestamp(250)
        $0.distanceMetres = 1_234.5
        $0.eta = eta
    }

    static let presence = WirePresence.with {
        $0.userID = userID
        $0.freshness = .lagging
        $0.cause = .lowBattery
        $0.lastSeenAt = timestamp(1_000)
        $0.lastMovedAt = timestamp(500)
    }

    static let arrival = WireArrival.with {
        $0.userID = userID
        $0.stage = .confirmed
        $0.creditedAt = timestamp(-61_500)
        $0.rank = 1
        $0.outcome = .early
        $0.secondsFromMeeting = -62
        $0.source = .self_
        $0.mock = true
    }

    static let participant = WireParticipant.with {
        $0.user = card
        $0.membership = .accepted
        $0.sharing = true
        $0.arrival = arrival
        $0.position = position
        $0.presence = presence
        $0.eta = eta
        $0.statusText = "on the bus"
        $0.emoji = "🚌"
        $0.linkSharing = true
    }

    static let promise = WirePromise.with {
        $0.promiseID = promiseID
        $0.title = "Lunch"
        $0.note = "Bring the \"book\""
        $0.place = place
        $0.meetsAt = timestamp()
        $0.radiusMetres = 50
        $0.penalty = penalty
        $0.ownerID = userID
        $0.status = .tracking
        $0.courseID = "01932a4e-0000-7000-8000-0000000000f1"
        $0.preview = .place
        $0.version = 3
        $0.opensAt = timestamp(-1_800_000)
        $0.closesAt = timestamp(10_800_000)
        $0.settlesAt = timestamp(11_700_000)
        $0.participants = [participant]
        $0.rule = rule
        $0.participantCount = 2
        $0.viewLinkExpiresAt = timestamp(10_800_000)
        $0.viewerCount = 4
    }

    static let row = WireResultRow.with {
        $0.user = card
        $0.outcome = .late
        $0.creditedAt = timestamp(62_000)
        $0.secondsFromMeeting = 62
        $0.rank = 2
        $0.source = .gps
        $0.penaltyOwed = 5_000
        $0.excusedReason = "The train was late"
        $0.mock = true
    }

    static let result = WireResult.with {
        $0.promiseID = promiseID
        $0.meetsAt = timestamp()
        $0.finalAt = timestamp(11_700_000)
        $0.penalty = penalty
        $0.penaltyTotal = 5_000
        $0.rows = [row]
    }

    static let statistics = WireStatistics.with {
        $0.userID = userID
        $0.counted = 10
        $0.early = 3
        $0.onTime = 4
        $0.late = 3
        $0.noShow = 1
        $0.bestRank = 1
        $0.meanLatenessSeconds = 33.5
        $0.punctualityPercent = 70
        $0.tier = "upper-mantle"
    }
}
