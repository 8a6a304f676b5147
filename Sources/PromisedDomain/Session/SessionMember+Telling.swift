// Changes of one member as the others are told of them.
extension SessionMember {
    /// Takes over what the tracks say of where they are. Returns whether that is news.
    mutating func updateLive(placeAt place: Coordinate) -> Bool {
        guard participant.isSharing, participant.membership == .accepted else { return false }
        guard let latest, latest.isSince(showsFrom) else { return false }
        noteDeparture(latest, placeAt: place)
        guard live.position?.fixTime != latest.time || live.position?.seq != latest.seq else { return false }
        live.noteMovement(to: latest)
        let position = LivePosition(latest, of: participant.userID, placeAt: place, lane: lane)
        live.position = position
        live.approach.append(distanceMetres: position.distanceMetres, at: latest.time)
        hasMoved = true
        return true
    }

    /// The distance at which they set out; if they were not shown then, the distance at which they were first shown.
    private mutating func noteDeparture(_ latest: SettledFix, placeAt place: Coordinate) {
        if let departure, departure.time >= showsFrom {
            live.departureDistanceMetres = departure.coordinate.distanceMetres(to: place)
        } else if live.departureDistanceMetres == nil {
            live.departureDistanceMetres = latest.coordinate.distanceMetres(to: place)
        }
    }

    /// Their position, as far as others may see it, with the estimate when that is news against the one that went out with
    /// a position before: it counts as sent then.
    @inline(__always)
    mutating func takePosition(at moment: SessionMoment, arrival: AnnouncedArrival?) -> LivePosition? {
        guard var position = visiblePosition(at: moment) else { return nil }
        position.estimate = nil
        if let estimate = estimate(at: moment, arrival: arrival),
            told.sentEstimate.map({ estimate.isNews(after: $0, at: moment.now) }) ?? true
        {
            told.sentEstimate = estimate
            position.estimate = estimate
        }
        return position
    }

    /// Their presence when it is not what was told last; it counts as told then.
    @inline(__always)
    mutating func newsOfPresence(at moment: SessionMoment, arrival: AnnouncedArrival?) -> Presence? {
        guard let presence = presence(at: moment, arrival: arrival),
            presence.freshness != told.freshness || presence.cause != told.cause
        else { return nil }
        told.freshness = presence.freshness
        told.cause = presence.cause
        return presence
    }

    /// Takes the pace that follows from an estimate. Returns whether it is another one than they were told.
    mutating func follow(_ estimate: ArrivalEstimate?, at moment: SessionMoment, arrival: AnnouncedArrival?) -> Bool {
        guard isTracked(at: moment), participant.isSharing else { return false }
        let pace = pace(at: moment, estimate: estimate, arrival: arrival)
        guard pace != told.pace else { return false }
        told.pace = pace
        if pace == 0 { live.dueAt = nil }
        return true
    }
}
