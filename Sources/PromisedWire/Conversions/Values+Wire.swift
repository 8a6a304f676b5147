package import PromisedDomain
package import PromisedProtocol

extension WireUserCard {
    package init(_ card: UserCard) {
        self.init()
        userID = card.id.wireText
        nickname = card.nickname.bounded(characters: 20)
        avatar = card.avatar.bounded(characters: 64)
        picture = card.picture?.wireText ?? ""
        deleted = card.isDeleted
    }
}

extension UserCard {
    /// A card received from a server. Throws ``WireError/invalid(field:)`` for an invalid id.
    package init(_ wire: WireUserCard) throws(WireError) {
        self.init(
            id: try UserID(wire: wire.userID, field: "userId"),
            nickname: wire.nickname,
            avatar: wire.avatar,
            picture: wire.picture.isEmpty ? nil : try PictureID(wire: wire.picture, field: "picture"),
            isDeleted: wire.deleted
        )
    }
}

extension WirePlace {
    package init(_ place: Place) {
        self.init()
        name = place.name.bounded(characters: 100)
        address = place.address.bounded(characters: 200)
        latitude = place.coordinate.latitude
        longitude = place.coordinate.longitude
        if let id = place.placeID { placeID = id.wireText }
    }
}

extension Place {
    /// A place as given in a request; the texts are not validated. Throws ``WireError/invalid(field:)`` for an invalid
    /// id, and without an id for a latitude or longitude that is not finite or out of range.
    ///
    /// If there is an id, the other fields come from the directory: an invalid position becomes (0, 0).
    package init(_ wire: WirePlace) throws(WireError) {
        let id = wire.hasPlaceID ? try PlaceID(wire: wire.placeID, field: "placeId") : nil
        var coordinate = Coordinate(latitude: wire.latitude, longitude: wire.longitude)
        if id == nil {
            coordinate = try Coordinate(wireLatitude: wire.latitude, longitude: wire.longitude)
        } else if !coordinate.isValid {
            coordinate = Coordinate(latitude: 0, longitude: 0)
        }
        self.init(name: wire.name, address: wire.address, coordinate: coordinate, placeID: id)
    }
}

extension Coordinate {
    /// A point as given in a request. Throws ``WireError/invalid(field:)`` for a latitude or longitude that is not
    /// finite or out of range.
    package init(wireLatitude latitude: Double, longitude: Double) throws(WireError) {
        guard (-90...90).contains(latitude) else { throw .invalid(field: "latitude") }
        guard (-180...180).contains(longitude) else { throw .invalid(field: "longitude") }
        self.init(latitude: latitude, longitude: longitude)
    }
}

extension WirePenalty {
    package init(_ penalty: Penalty) {
        self.init()
        amount = penalty.amount
        currency = penalty.currency
    }
}

extension Penalty {
    /// A penalty as given in a request. Throws ``WireError/invalid(field:)`` for a negative amount or a currency that
    /// is not three capital letters.
    package init(_ wire: WirePenalty) throws(WireError) {
        self.init(amount: wire.amount, currency: wire.currency)
        guard (0...Penalty.largestAmount).contains(amount) else { throw .invalid(field: "amount") }
        guard isValid else { throw .invalid(field: "currency") }
    }
}

extension WireRule {
    package init(_ rule: ArrivalRule) {
        self.init()
        name =
            switch rule.name {
            case .robust: .robust
            case .firstFix: .firstFix
            }
        graceMs = rule.grace.wireMs
        mock =
            switch rule.mock {
            case .flag: .flag
            case .reject: .reject
            }
    }

    /// The rule as applied by a promise: its grace is never longer than its window.
    package init(of promise: Promise) {
        self.init(promise.rule)
        graceMs = promise.grace.wireMs
    }
}

extension ArrivalRule {
    /// A rule as given in a request. Missing and unknown values get the default.
    package init(_ wire: WireRule, defaults: ArrivalRule = ArrivalRule()) {
        self = defaults
        switch wire.name {
        case .robust: name = .robust
        case .firstFix: name = .firstFix
        case .unspecified, .UNRECOGNIZED: break
        }
        if wire.hasGraceMs { grace = .milliseconds(Int64(wire.graceMs)) }
        switch wire.mock {
        case .flag: mock = .flag
        case .reject: mock = .reject
        case .unspecified, .UNRECOGNIZED: break
        }
    }
}
