package import PromisedDomain
package import PromisedProtocol
internal import SwiftProtobuf

extension WireExplanation {
    /// Adds why there is no arrival, unless one exists by now. The device of a deleted user is private.
    package mutating func add(_ reason: NoArrival?, unless arrival: RankedArrival?) {
        guard arrival == nil, let reason else { return }
        noArrival = WireNoArrival(reason)
        if user.deleted { noArrival.deviceID = "" }
    }
}

extension WireNoArrival {
    init(_ why: NoArrival) {
        self.init()
        reason = WireNoArrivalReason.Value(why.reason)
        deviceID = why.device?.deviceID.bounded(characters: 64) ?? ""
        radiusMetres = why.radiusMetres
        limitMetres = why.limitMetres
        set(why.counts)
        let codes = Dictionary(grouping: why.refused) { ErrorCode($0).rawValue }
        refused = codes.sorted { $0.key < $1.key }.map { code, refusals in
            .with {
                $0.code = code
                $0.count = UInt32(clamping: refusals.count)
            }
        }
        if let error = why.leastErrorMetres { leastErrorMetres = error }
        if let nearest = why.nearest {
            nearestMetres = nearest.distanceMetres
            nearestErrorMetres = nearest.fix.errorMetres
            nearestAt = WireTimestamp(nearest.fix.time)
        }
        if let inside = why.inside { insideMs = UInt32(clamping: inside.milliseconds) }
        if let lastAt = why.lastAt { self.lastAt = WireTimestamp(lastAt) }
        if let retraction = why.retraction { self.retraction = WireArrivalRetraction(retraction) }
    }

    private mutating func set(_ counts: NoArrival.Counts) {
        accepted = UInt32(clamping: counts.accepted)
        inside = UInt32(clamping: counts.inside)
        outside = UInt32(clamping: counts.outside)
        unusable = UInt32(clamping: counts.unusable)
        unusableInside = UInt32(clamping: counts.unusableInside)
        covered = UInt32(clamping: counts.covered)
        dropped = UInt32(clamping: counts.dropped)
    }
}

extension WireNoArrivalReason.Value {
    package init(_ reason: NoArrival.Reason) {
        switch reason {
        case .noPosition: self = .noPosition
        case .passed: self = .passed
        case .tooShort: self = .tooShort
        case .tooInaccurate: self = .tooInaccurate
        case .outside: self = .outside
        }
    }
}

extension WireArrivalRetraction {
    init(_ retraction: ArrivalDetector.Retraction) {
        self.init()
        creditedAt = WireTimestamp(retraction.creditedAt)
        at = WireTimestamp(retraction.at)
        switch retraction.cause {
        case .passed: cause = .passed
        case .held: cause = .held
        }
    }
}

extension WireArrivalHold {
    /// Why a provisional arrival is not confirmed yet.
    package init(_ hold: ArrivalDetector.Hold, decidedAt: Instant) {
        self.init()
        since = WireTimestamp(hold.since)
        lastAt = WireTimestamp(hold.last.time)
        distanceMetres = hold.last.distanceMetres
        errorMetres = hold.errorMetres
        self.decidedAt = WireTimestamp(decidedAt)
    }
}
