import PromisedDomain
import PromisedProtocol

@testable import PromisedAccess
@testable import PromisedApplication
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
        "cursor": .bytes(TextWeight.cursor, "A text that no reply gave is refused."),
        "limit": .positive("More than \(pageSize) count as \(pageSize)."),
        "nickname": .text(TextRule(field: "nickname", length: Nickname.length)), "email": email,
        "password": password,
        "latitude": .number(-90...90), "longitude": .number(-180...180),
        "uptimeMs": .number(-ClockReadings.limitMs...ClockReadings.limitMs),
        "radiusMetres": .integer(PromiseLimits.radiusMetres),
        "title": .text(.title), "note": .text(.note),
    ]

    private static let password = FieldRule.text(PasswordPolicy.length, "None of the commonest.")
        .holding(bytes: TextWeight.password)

    private static let email = FieldRule(
        keywords: ["format": "idn-email", "maxLength": .number(Double(EmailAddress.longest))],
        note: "Its length counts bytes, without white space around it.",
        isRequired: true
    ).holding(bytes: TextWeight.name)

    // MARK: - By message and field

    private static let own = [accounts, promises, positions, outcomes, administration, replies]
        .reduce(into: [:]) { table, part in table.merge(part) { first, _ in first } }

    private static let accounts: [String: FieldRule] = [
        "Hello.token": .bytes(
            TextWeight.token,
            beyond: .authTokenInvalid,
            "The server's own tokens have at most \(AccessTokenSigner.longest)."
        ),
        "Hello.deviceId": optional(.deviceID), "Hello.bootId": optional(.bootID),
        "ClientInfo.name": .any("Cut off rather than refused."),
        "ClientInfo.version": .any("Cut off rather than refused."),
        "ClientInfo.platform": .any("Cut off rather than refused."),
        "SignIn.email": .bytes(TextWeight.name), "SignIn.password": .bytes(TextWeight.password),
        "Refresh.refreshToken": .bytes(AccessTokenSigner.longest, beyond: .authTokenInvalid),
        "ChangePassword.oldPassword": .bytes(TextWeight.password), "ChangePassword.newPassword": password,
        "DeleteAccount.password": .bytes(TextWeight.password),
        "UpdateMe.avatar": .text(.avatar),
        "UpdateMe.locale": .text(2...LanguageTag.longest).holding(bytes: LanguageTag.longest),
        "UpdateMe.timeZone": .bytes(TimeZoneName.longest, "One that the server's machine knows."),
        "FindUser.nickname": soughtNickname, "RequestFriend.nickname": soughtNickname,
        "ExchangeCode.code": secretCode, "WatchByLink.code": secretCode,
    ]

    private static let soughtNickname = FieldRule.bytes(
        TextWeight.name,
        beyond: .userNotFound,
        "One that nobody can have is not found."
    )
    private static let secretCode = FieldRule.bytes(TextWeight.code, beyond: .codeInvalid)

    /// A text that counts as absent when it is empty.
    private static func optional(_ rule: TextRule) -> FieldRule {
        .text(TextRule(field: rule.field, length: 0...rule.length.upperBound), "Empty is absent.")
    }

    private static let promises: [String: FieldRule] = [
        "CreatePromise.key": .text(.creationKey),
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
        "Place.name": .text(.placeName),
        "Place.address": .text(.placeAddress),
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
        "CancelPromise.reason": .text(.reason),
        "CreateInvite.expiresInMs": .number(1...Double(PromiseLimits.furthestAhead.milliseconds)),
        "CreateViewLink.expiresInMs": .number(1...Double(PromiseLimits.furthestAhead.milliseconds)),
        "JoinByCode.code": .bytes(
            4 * InviteCode.length,
            beyond: .codeInvalid,
            "Small letters, spaces and hyphens are forgiven; so are I, L and O for 1 and 0."
        ),
        "Subscribe.epoch": .bytes(TextWeight.name), "Subscribe.lastSeq": .any(),
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
        "SetStatus.text": .text(.statusText),
        "SetStatus.emoji": .text(
            0...TextRule.largestCharacter,
            "The length counts the code points of the one grapheme."
        ).holding(bytes: TextRule.emoji.longestSent, stored: TextRule.emoji.longestStored),
    ]

    private static let outcomes: [String: FieldRule] = [
        "CheckIn.code": .bytes(TextWeight.code, beyond: .codeInvalid, "Spaces are forgiven."),
        "Excuse.reason": .text(.excuse),
    ]

    private static let administration: [String: FieldRule] = [
        "AdminFindUsers.name": FieldRule(
            keywords: ["minLength": 1, "maxLength": .number(Double(TextWeight.name))],
            isRequired: true
        ).holding(bytes: TextWeight.name),
        "AdminListUsers.text": .bytes(TextWeight.name),
        "AdminExportPositions.limit": .positive("More than \(PromiseForms.positionsPerPage) count as so many."),
        "AdminBackUp.path": FieldRule(keywords: ["pattern": "^/"], isRequired: true).holding(bytes: TextWeight.name),
        "AdminCreateToken.name": .text(AdminTokenOrder.nameRule),
        "AdminCreateToken.validMs": .number(1...AdminTokenOrder.longestMs),
    ]

    // MARK: - In replies and events, as far as they repeat what was asked for

    private static let replies: [String: FieldRule] = [
        "Promise.radiusMetres": .integer(PromiseLimits.radiusMetres),
        "Position.latitude": .number(-90...90), "Position.longitude": .number(-180...180),
        "RejectedFix.code": FieldRule(
            keywords: ["x-error-codes": .list(RequestErrors.ofFixes.map { .text($0.rawValue) })]
        ),
        "ExplainedFix.latitude": .number(-90...90), "ExplainedFix.longitude": .number(-180...180),
        "Result.penaltyTotal": .integer(0...Int(Int32.max)),
        "ResultRow.penaltyOwed": .integer(0...Int(Penalty.largestAmount)),
        "Statistics.punctualityPercent": .number(0...100),
    ]
}
