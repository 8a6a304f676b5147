import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedWire
import Testing

@testable import PromisedAccess
@testable import PromisedApplication
@testable import PromisedGateway
@testable import PromisedSettings

/// The ranges that the schema declares and the constants by which the server checks.
@Suite struct FieldRangeTests {
    /// The range of a field written as `Message.field`.
    private static func range(_ path: String) throws -> FieldRange {
        let words = path.split(separator: ".").map(String.init)
        return try #require(FieldRange.of(words[1], in: words[0]), "\(path) has no range")
    }

    /// The ranges of all fields of a name, in whichever message.
    private static func ranges(named name: String) -> [FieldRange] { FieldRange.all.filter { $0.field == name } }

    // MARK: - Texts

    @Test(
        arguments: [
            ("CreatePromise.title", .title), ("UpdatePromise.title", .title),
            ("CreatePromise.note", .note), ("UpdatePromise.note", .note),
            ("CreatePromise.key", .creationKey), ("AddFavourite.key", .creationKey), ("CancelPromise.reason", .reason),
            ("Excuse.reason", .excuse),
            ("Place.name", .placeName), ("Place.address", .placeAddress), ("SetStatus.text", .statusText),
            ("UpdateMe.avatar", .avatar), ("AdminCreateToken.name", AdminTokenOrder.nameRule),
            ("SignUp.nickname", TextRule(field: "nickname", length: Nickname.length)),
            ("UpdateMe.nickname", TextRule(field: "nickname", length: Nickname.length)),
            ("AdminCreateUser.nickname", TextRule(field: "nickname", length: Nickname.length)),
            ("SignUp.deviceSecret", .deviceSecret), ("SignIn.deviceSecret", .deviceSecret),
            // Empty is absent.
            ("Hello.deviceId", TextRule(field: "deviceId", length: 0...TextRule.deviceID.length.upperBound)),
            ("Hello.bootId", TextRule(field: "bootId", length: 0...TextRule.bootID.length.upperBound)),
        ] as [(String, TextRule)]
    )
    func `a text has the bounds of the rule that cleans it`(path: String, rule: TextRule) throws {
        let range = try Self.range(path)
        #expect(range.minLength == rule.length.lowerBound && range.maxLength == rule.length.upperBound)
        #expect(range.maxBytes == rule.longestSent && range.maxStoredBytes == rule.longestStored)
    }

    @Test(
        arguments: [
            ("Hello.token", TextWeight.token), ("Refresh.refreshToken", AccessTokenSigner.longest),
            ("SignIn.email", TextWeight.name), ("SignIn.password", TextWeight.password),
            ("ChangePassword.oldPassword", TextWeight.password), ("DeleteAccount.password", TextWeight.password),
            ("FindUser.nickname", TextWeight.name), ("RequestFriend.nickname", TextWeight.name),
            ("AdminFindUsers.name", TextWeight.name), ("AdminListUsers.text", TextWeight.name),
            ("Subscribe.epoch", TextWeight.name), ("UpdateMe.locale", LanguageTag.longest),
            ("UpdateMe.timeZone", TimeZoneName.longest), ("JoinByCode.code", 4 * InviteCode.length),
            ("CheckIn.code", TextWeight.code), ("ExchangeCode.code", TextWeight.code),
            ("WatchByLink.code", TextWeight.code),
        ]
    )
    func `a text for a lookup has at most the compared bytes`(path: String, longest: Int) throws {
        let range = try Self.range(path)
        #expect(range.maxBytes == longest && range.maxLength == longest && range.maxStoredBytes == nil)
    }

    @Test(
        arguments: [
            "SignUp.password", "ChangePassword.newPassword", "AdminCreateUser.password", "AdminResetPassword.password",
        ]
    )
    func `a new password has the length of the policy`(path: String) throws {
        let range = try Self.range(path)
        #expect(
            range.minLength == PasswordPolicy.length.lowerBound && range.maxLength == PasswordPolicy.length.upperBound
        )
        #expect(range.maxBytes == TextWeight.password)
    }

    @Test func `other texts have the bounds of their rules`() throws {
        for range in try ["SignUp.email", "AdminCreateUser.email"].map(Self.range) {
            #expect(range.maxLength == EmailAddress.longest && range.maxBytes == TextWeight.name)
        }
        let emoji = try Self.range("SetStatus.emoji")
        #expect(emoji.maxLength == TextRule.largestCharacter)
        #expect(emoji.maxBytes == TextRule.emoji.longestSent && emoji.maxStoredBytes == TextRule.emoji.longestStored)
        #expect(try Self.range("AdminBackUp.path").maxBytes == TextWeight.name)
        #expect(try Self.range("Hello.token").note.hasSuffix("at most \(AccessTokenSigner.longest)."))
        #expect(try #require(FieldRange.phrases["epoch"]).contains("at most \(TextWeight.name) bytes"))
        let cursors = Self.ranges(named: "cursor")
        #expect(cursors.count >= 9 && cursors.allSatisfy { $0.maxBytes == TextWeight.cursor })
    }

    // MARK: - Numbers and lists

    @Test(
        arguments: [
            ("graceMs", 0...Int(PromiseDraft.largestGrace.milliseconds)),
            ("amount", 0...Int(Penalty.largestAmount)), ("penaltyOwed", 0...Int(Penalty.largestAmount)),
            ("accuracyMetres", 0...Int(Fix.largestAccuracyMetres)),
            ("uptimeMs", -Int(ClockReadings.limitMs)...Int(ClockReadings.limitMs)),
            ("clientTimeMs", -Int(ClockReadings.limitMs)...Int(ClockReadings.limitMs)),
            ("expiresInMs", 1...Int(PromiseLimits.furthestAhead.milliseconds)),
            ("validMs", 1...Int(AdminTokenOrder.longestMs)),
        ]
    )
    func `fields of one name have the range of the rules`(name: String, numbers: ClosedRange<Int>) {
        let ranges = Self.ranges(named: name)
        #expect(!ranges.isEmpty)
        for range in ranges {
            #expect(range.min == Double(numbers.lowerBound) && range.max == Double(numbers.upperBound), "\(range)")
        }
    }

    @Test(
        arguments: [
            ("Promise.radiusMetres", PromiseLimits.radiusMetres),
            ("CreatePromise.radiusMetres", PromiseLimits.radiusMetres),
            ("UpdatePromise.radiusMetres", PromiseLimits.radiusMetres),
            ("NearbyPlaces.radiusMetres", 0...Int(PlaceIndex.widestRadiusMetres)), ("ViewPlaces.zoom", PlaceView.zooms),
            ("AdminBeginImport.maxRemovedPercent", 0...100),
        ]
    )
    func `a field has the range of its rule`(path: String, numbers: ClosedRange<Int>) throws {
        let range = try Self.range(path)
        #expect(range.min == Double(numbers.lowerBound) && range.max == Double(numbers.upperBound))
    }

    @Test func `lists have the limits of the rules`() throws {
        let fixes = try Self.range("Report.fixes")
        #expect(fixes.minItems == 1 && fixes.maxItems == Report.fixLimit)
        #expect(try Self.range("CreatePromise.inviteeIds").maxItems == PromiseLimits.participants - 1)
        let people =
            "\(PromiseLimits.participants) participants at a time and \(PromiseLimits.people) over its lifetime"
        #expect(try Self.range("UpdatePromise.invite").note.contains(people))
    }

    @Test func `the texts and lists of the directory have the bounds of their rules`() throws {
        let text = try Self.range("SearchPlaces.text")
        #expect(text.minLength == PlaceQuery.lengths.lowerBound && text.maxLength == PlaceQuery.lengths.upperBound)
        #expect(try Self.range("AddFavourite.label").maxLength == Favourite.longestLabel)
        #expect(try Self.range("PlaceSource.name").maxLength == PlaceSource.longestName)
        #expect(try Self.range("PlaceFact.key").maxLength == DirectoryPlace.longestKey)
        #expect(try Self.range("ListRegions.parent").maxLength == RegionCode.longestLevel)
        #expect(try Self.range("PlaceRow.region").maxLength == 2 * RegionCode.longestLevel + 1)
        let most = [
            "PlaceFilter.categories": PlaceFilter.mostCategories, "PlaceFilter.regions": PlaceFilter.mostCategories,
            "PlaceFilter.sources": PlaceFilter.mostSources, "PlaceRow.names": DirectoryPlace.mostNames,
            "PlaceRow.facts": DirectoryPlace.mostFacts, "PlaceRow.categories": DirectoryPlace.categoryCounts.upperBound,
            "ReadNotifications.notificationIds": NotificationInbox.most,
        ]
        for (path, count) in most { #expect(try Self.range(path).maxItems == count, "\(path)") }
        #expect(try Self.range("PlaceRow.categories").minItems == DirectoryPlace.categoryCounts.lowerBound)
    }

    @Test func `a page has the length of its note`() throws {
        let others: Set = ["AdminExportPositions", "ViewPlaces", "ReadFile"]
        let limits = Self.ranges(named: "limit").filter { !others.contains($0.message) }
        let note = "A larger number counts as \(pageSize)."
        #expect(limits.count >= 7 && limits.allSatisfy { $0.note == note })
        let positions = try Self.range("AdminExportPositions.limit").note
        #expect(positions == "A larger number counts as \(PromiseForms.positionsPerPage).")
        #expect(try Self.range("ReadFile.limit").note == "A larger number counts as \(StoredFile.mostRead).")
        let items = PlaceView.limits.upperBound
        #expect(try Self.range("ViewPlaces.limit").note == "A larger number counts as \(items).")
    }

    // MARK: - Refusals

    @Test func `a refusal has the numbers of the rules`() {
        let radius = PromiseLimits.radiusMetres
        for kind in [RequestKind.createPromise, .updatePromise] {
            #expect(
                AllowedValues.sentence(of: "radiusMetres", in: kind)
                    == "radiusMetres must be \(radius.lowerBound) to \(radius.upperBound) metres."
            )
        }
        #expect(
            AllowedValues.sentence(of: "radiusMetres", in: .nearbyPlaces)
                == "radiusMetres must be 0 to \(Int(PlaceIndex.widestRadiusMetres)) metres."
        )
        #expect(AllowedValues.sentence(of: "fixes", in: .report) == "fixes must be 1 to \(Report.fixLimit) positions.")
        #expect(
            AllowedValues.sentence(of: "penalty.amount", in: .createPromise)
                == "penalty.amount must be 0 to \(Penalty.largestAmount) minor units."
        )
        #expect(AllowedValues.sentence(of: "limit", in: .listPromises) == "limit must be 1 or more.")
        #expect(FieldRange.phrases["expiresInMs"] == "1 ms to \(PromiseLimits.furthestAhead.inWords)")
        #expect(FieldRange.phrases["sentAt"] == "within \(Int64(ClockReadings.limitMs)) ms of zero")
    }

    @Test(arguments: ["promiseId", "inviteeIds[3]", "invite[0]", "remove[1]", "promise.ownerId"])
    func `a refusal of an id shows one`(field: String) {
        #expect(AllowedValues.sentence(of: field, in: .getPromise)?.hasPrefix("An id is a UUID such as ") == true)
    }

    @Test func `has no sentence for a field without a range`() {
        #expect(AllowedValues.sentence(of: "accept", in: .respond) == nil)
    }
}
