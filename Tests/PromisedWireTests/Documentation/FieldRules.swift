import PromisedDomain

@testable import PromisedAccess
@testable import PromisedServer
@testable import PromisedSettings

/// The table of what the server takes in the fields of requests, read from the constants by which it checks them.
///
/// `DocumentedRangeTests` in the server's tests sends what is said here to a server.
enum FieldRules {
    /// The rule of a field: its own, or in a message of a request that of all fields of the name; nil without one.
    static func rule(of field: ProtoField, in message: String, isRequest: Bool) -> FieldRule? {
        own["\(message).\(field.name)"] ?? (isRequest ? common[field.name] : nil)
    }

    /// Fields whose type is a message or an enumeration and without which a request is refused.
    static let required: Set = [
        "CreatePromise.place", "CreatePromise.meetsAt", "ListPromises.list", "ReportTrouble.cause",
    ]

    /// Messages that need one or more of these fields.
    static let alternatives = ["RequestFriend": ["userId", "nickname"]]

    /// What a setting is called, with its default.
    private static func setting(_ key: String) -> String {
        let text = ServerSettings.settings.first { $0.key == key }?.defaultText ?? "unknown"
        return "the setting `\(key)` (\(text) unless it is changed)"
    }

    // MARK: - By the name of the field, in requests

    private static let common: [String: FieldRule] = [
        "promiseId": .id, "userId": .id, "otherId": .id, "ownerId": .id, "tokenId": .id,
        "cursor": .any("A text that no reply gave is refused."),
        "limit": .positive("More than \(PageRequest.largest) count as \(PageRequest.largest)."),
        "nickname": .text(Nickname.length), "email": email,
        "password": .text(PasswordPolicy.length, "None of the commonest."),
        "latitude": .number(-90...90), "longitude": .number(-180...180),
        "uptimeMs": .number(-ClockReadings.limitMs...ClockReadings.limitMs),
        "radiusMetres": .integer(PromiseLimits.radiusMetres),
        "title": .text(TextRule.title.length), "note": .text(TextRule.note.length),
    ]

    private static let email = FieldRule(
        keywords: ["format": "idn-email", "maxLength": .number(Double(EmailAddress.longest))],
        note: "Its length counts bytes.",
        isRequired: true
    )

    // MARK: - By message and field

    private static let own = [accounts, promises, positions, outcomes, administration, replies]
        .reduce(into: [:]) { table, part in table.merge(part) { first, _ in first } }

    private static let accounts: [String: FieldRule] = [
        "Hello.token": .any(),
        "Hello.deviceId": .text(0...TextRule.deviceID.length.upperBound, "Empty is absent."),
        "Hello.bootId": .text(0...TextRule.bootID.length.upperBound, "Empty is absent."),
        "ClientInfo.name": .any("Cut off rather than refused."),
        "ClientInfo.version": .any("Cut off rather than refused."),
        "ClientInfo.platform": .any("Cut off rather than refused."),
        "SignIn.email": .any(), "SignIn.password": .any(),
        "Refresh.refreshToken": .any(),
        "ChangePassword.oldPassword": .any(),
        "ChangePassword.newPassword": .text(PasswordPolicy.length, "None of the commonest."),
        "DeleteAccount.password": .any(),
        "UpdateMe.avatar": .text(TextRule.avatar.length),
        "UpdateMe.locale": .text(2...LanguageTag.longest),
        "UpdateMe.timeZone": .any("One that the server's machine knows."),
        "FindUser.nickname": .any("One that nobody can have is not found."),
        "RequestFriend.nickname": .any("One that nobody can have is not found."),
        "ExchangeCode.code": .any(), "WatchByLink.code": .any(),
    ]

    private static let promises: [String: FieldRule] = [
        "CreatePromise.key": .text(TextRule.creationKey.length),
        "CreatePromise.meetsAt": .any("The least notice is \(setting("window.before"))."),
        "CreatePromise.inviteeIds": .list(
            0...(PromiseLimits.participants - 1),
            of: .id,
            "Who is named twice counts once. More are refused with `promise.limit`."
        ),
        "UpdatePromise.version": .any(),
        "UpdatePromise.meetsAt": .any("The least notice is \(setting("window.before"))."),
        "UpdatePromise.invite": .list(
            of: .id,
            "The promise holds \(PromiseLimits.participants) at a time, \(PromiseLimits.people) over its life."
        ),
        "UpdatePromise.remove": .list(of: .id),
        "Place.name": .text(TextRule.placeName.length),
        "Place.address": .text(TextRule.placeAddress.length),
        "Place.latitude": .number(-90...90, "Latitude and longitude 0 together are refused."),
        "Penalty.amount": .integer(0...Int(Penalty.largestAmount)),
        "Penalty.currency": FieldRule(
            keywords: ["pattern": "^[A-Z]{3}$", "minLength": 3, "maxLength": 3],
            note: "One that is in use.",
            isRequired: true
        ),
        "Rule.graceMs": .integer(
            0...Int(PromiseDraft.largestGrace.milliseconds),
            "Absent: \(setting("arrival.grace")). Never more than \(setting("window.after"))."
        ),
        "CancelPromise.reason": .text(TextRule.reason.length),
        "CreateInvite.expiresInMs": .number(1...Double(PromiseLimits.furthestAhead.milliseconds)),
        "CreateViewLink.expiresInMs": .number(1...Double(PromiseLimits.furthestAhead.milliseconds)),
        "JoinByCode.code": .any("Small letters, spaces and hyphens are forgiven; so are I, L and O for 1 and 0."),
        "Subscribe.epoch": .any(), "Subscribe.lastSeq": .any(),
    ]

    private static let positions: [String: FieldRule] = [
        "Report.fixes": .list(1...Report.fixLimit, "More are refused with `request.too-large`."),
        "Fix.seq": .any(),
        "Fix.latitude": .number(-90...90, "Latitude and longitude 0 together are refused."),
        "Fix.accuracyMetres": .number(0...FixIntake.largestAccuracyMetres),
        "Fix.speedMps": .any("Negative: unknown."),
        "Fix.courseDegrees": .any("Negative: unknown."),
        "Fix.batteryPercent": .any("Anything else: unknown."),
        "SyncClock.clientTimeMs": .number(-ClockReadings.limitMs...ClockReadings.limitMs),
        "ReportTrouble.batteryPercent": .number(0...100),
        "SetStatus.text": .text(TextRule.statusText.length),
        "SetStatus.emoji": .text(
            0...TextRule.largestCharacter,
            "The length counts the code points of the one grapheme."
        ),
    ]

    private static let outcomes: [String: FieldRule] = [
        "CheckIn.code": .any("Spaces are forgiven."),
        "Excuse.reason": .text(TextRule.excuse.length),
    ]

    private static let administration: [String: FieldRule] = [
        "AdminFindUsers.name": FieldRule(keywords: ["minLength": 1], isRequired: true),
        "AdminListUsers.text": .any(),
        "AdminExportPositions.limit": .positive("More than \(WatchAdministration.positionsPerPage) count as so many."),
        "AdminBackUp.path": FieldRule(keywords: ["pattern": "^/"], note: "At most 1024 bytes.", isRequired: true),
        "AdminCreateToken.name": .text(1...64),
        "AdminCreateToken.validMs": .number(1...AdminTokenOrder.longestMs),
    ]

    // MARK: - In replies and events, as far as they repeat what was asked for

    private static let replies: [String: FieldRule] = [
        "Promise.radiusMetres": .integer(PromiseLimits.radiusMetres),
        "Position.latitude": .number(-90...90), "Position.longitude": .number(-180...180),
        "ExplainedFix.latitude": .number(-90...90), "ExplainedFix.longitude": .number(-180...180),
        "Result.penaltyTotal": .integer(0...Int(Int32.max)),
        "ResultRow.penaltyOwed": .integer(0...Int(Penalty.largestAmount)),
        "Statistics.punctualityPercent": .number(0...100),
    ]
}
