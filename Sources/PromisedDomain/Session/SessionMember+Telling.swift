// Changes of one member, as they are sent to the others.
extension SessionMember {
    /// Updates the position from the tracks. Returns `true` if it has changed.
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

    /// Records the distance at departure; if the member was not shown then, the distance when first shown.
    private mutating func noteDeparture(_ latest: SettledFix, placeAt place: Coordinate) {
        if let departure, departure.time >= showsFrom {
            live.departureDistanceMetres = departure.coordinate.distanceMetres(to: place)
        } else if live.departureDistanceMetres == nil {
            live.departureDistanceMetres = latest.coordinate.distanceMetres(to: place)
        }
    }

    /// The member's position, if others may see it, with the estimate if it differs enough from the last one sent with
    /// a position. It then counts as sent.
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

    /// The presence if it differs from the last one sent; it then counts as sent.
    @inline(__always)
    mutating func newsOfPresence(at moment: SessionMoment, arrival: AnnouncedArrival?) -> Presence? {
        guard let presence = presence(at: moment, arrival: arrival),
            presence.freshness != told.freshness || presence.cause != told.cause
        else { return nil }
        told.freshness = presence.freshness
        told.cause = presence.cause
        return presence
    }

    /// Sets the pace that follows from an estimate. Returns `true` if it differs from the one sent to the participant.
    mutating func follow(_ estimate: ArrivalEstimate?, at moment: SessionMoment, arrival: AnnouncedArrival?) -> Bool {
        guard isTracked(at: moment), participant.isSharing else { return false }
        let pace = pace(at: moment, estimate: estimate, arrival: arrival)
        guard pace != told.pace else { return false }
        told.pace = pace
        if pace == 0 { live.dueAt = nil }
        return true
    }
}
