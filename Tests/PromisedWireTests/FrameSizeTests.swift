import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

/// The largest indivisible values, of the longest texts and the most participants: each fits into the smallest
/// configurable frame.
@Suite struct FrameSizeTests {
    /// The smallest `limits.sent-frame`, without the bytes that the envelope of a page may need.
    static let smallestFrame = 240 << 10

    /// Measures each kind whose size depends on users and that has no pages; the compiler requires a decision for each
    /// new one.
    @Test(.proves("10.7")) func `every kind of frame is measured, paged or always small`() {
        let measured = Set(LargestFrames.all.compactMap { $0.frame.content.map { Size($0) } })
        #expect(measured == Set(Size.Kind.allCases.map { Size.measured($0) }))
    }

    @Test(.proves("10.7"), .defends("long-contents"), arguments: LargestFrames.all.map(\.name), WireCodec.allCases)
    func `the largest of each kind fits into a frame`(name: String, codec: WireCodec) throws {
        let frame = try #require(LargestFrames.all.first { $0.name == name }).frame
        let size = try codec.encode(frame).count
        #expect(size <= Self.smallestFrame, "\(name): \(size)")
    }

    @Test func `the texts of the samples have the maximal length`() {
        #expect(LargestFrames.character.count == 1 && LargestFrames.character.utf8.count == 8)
        #expect(LargestFrames.text(200).count == 200)
        let wire = LargestFrames.livePromise()
        #expect(wire.title == LargestFrames.text(60) && wire.note == LargestFrames.text(500))
        #expect(wire.participants.count == PromiseLimits.people)
        #expect(wire.participants.allSatisfy { $0.hasPosition && $0.hasPresence && $0.hasArrival && $0.hasEta })
        #expect(
            wire.participants[0].user.avatar == LargestFrames.text(64)
                && wire.participants[0].statusText == LargestFrames.text(80)
        )
        #expect(WireUserCard(LargestFrames.card(LargestFrames.userID(1))).nickname.utf8.count == 160)
    }

    /// A title of 60 characters may have 480 bytes, an emoji 64.
    @Test(.proves("10.7"), arguments: [(480, 480), (481, 480), (65_000, 480)])
    func `truncates an overlong text of an earlier version`(stored: Int, shown: Int) {
        var promise = LargestFrames.promise
        promise.title = String(repeating: "x", count: stored)
        let wire = WirePromise(promise, status: .scheduled, participants: [], participantCount: 0)
        #expect(wire.title.utf8.count == shown)
        #expect(WireOverlap(promise).title == wire.title)
    }

    @Test func `truncates a text between code points, inside an overlong character`() {
        var card = UserCard(id: LargestFrames.userID(1), nickname: "x" + String(repeating: "가", count: 60))
        #expect(WireUserCard(card).nickname == "x" + String(repeating: "가", count: 53))
        card.nickname = "e" + String(repeating: "\u{301}", count: 4_000)
        #expect(WireUserCard(card).nickname.utf8.count == 159)
    }

    @Test(.proves("10.7")) func `shows the relevant participants of a promise beyond the limit`() throws {
        var view = LargestFrames.view(people: PromiseLimits.people + 2)
        view.members[0].participant.membership = .declined
        view.members[1].participant.membership = .declined
        let wire = WirePromise(view, detail: .live, card: LargestFrames.card)
        #expect(wire.participants.map(\.user.userID) == (2..<82).map { LargestFrames.userID($0).wireText })
        view.members.removeLast()
        let fewer = WirePromise(view, detail: .live, card: LargestFrames.card)
        #expect(
            fewer.participants.map(\.user.userID) == (Array(2..<81) + [0]).map { LargestFrames.userID($0).wireText }
        )
        let result = try #require(LargestFrames.view(people: PromiseLimits.people + 1).result)
        #expect(WireResult(result, card: LargestFrames.card).rows.count == PromiseLimits.people)
    }
}

/// The reason why frames of a kind stay within the limit.
private enum Size: Hashable {
    /// The largest one fits, see ``LargestFrames/all``.
    case measured(Kind)
    /// The page ends early, with a cursor, or shows fewer and larger clusters.
    case paged
    /// It lists what the operator has configured or imported, a short entry for each.
    case listed
    /// It contains a few short texts, or few numbers for each fix of a report.
    case small

    enum Kind: CaseIterable {
        // Replies.
        case promise, subscribed, result, linkView, placeDetails, visit, course, fileChunk
        // Replies to administrators.
        case users, userSessions, administeredPromise, watching, administeredResult, keptPositions, sessions, audit,
            health,
            verification, tokens, administeredPlace, placeImport
        // Events.
        case positions, presence, statusChanged, rankingRevised, invited, joined, edited, cancelled, late, resultFinal,
            excused, linkViewChanged
    }

    init(_ content: WireContent) {
        switch content {
        case .event(let event): self = event.what.map { Size($0) } ?? .small
        case .admin(let reply): self = reply.reply.map { Size($0) } ?? .small
        case .promise: self = .measured(.promise)
        case .subscribed: self = .measured(.subscribed)
        case .result: self = .measured(.result)
        case .linkView: self = .measured(.linkView)
        case .placeDetails: self = .measured(.placeDetails)
        case .visit: self = .measured(.visit)
        case .course: self = .measured(.course)
        case .fileChunk: self = .measured(.fileChunk)
        case .friends, .friendRequests, .promises, .explanation, .placeView, .places, .favourites, .notifications,
            .visits, .courses, .track:
            self = .paged
        case .categories, .regions, .visitStatistics, .folders, .recorded: self = .listed
        case .error, .done, .reported, .clock, .welcome, .session, .me, .userCard, .profile, .friendship, .invite,
            .arrival, .checkInCode, .statistics, .viewLink, .favourite, .outlook, .shareText, .notificationSettings,
            .upload, .folder, .recording, .recordings, .file, .export, .nickname, .sessions:
            self = .small
        }
    }

    init(_ reply: WireAdminReply.OneOf_Reply) {
        switch reply {
        case .users: self = .measured(.users)
        case .userSessions: self = .measured(.userSessions)
        case .promise: self = .measured(.administeredPromise)
        case .watching: self = .measured(.watching)
        case .result: self = .measured(.administeredResult)
        case .positions: self = .measured(.keptPositions)
        case .sessions: self = .measured(.sessions)
        case .audit: self = .measured(.audit)
        case .health: self = .measured(.health)
        case .verification: self = .measured(.verification)
        case .tokens: self = .measured(.tokens)
        case .place: self = .measured(.administeredPlace)
        case .placeImport: self = .measured(.placeImport)
        case .friends, .friendRequests, .promises, .explanation, .places, .courses: self = .paged
        case .sources: self = .listed
        case .done, .user, .password, .kicked, .session, .stats, .backup, .newToken, .removedPlaces, .weatherStatus,
            .outlook, .fileStatistics, .courseImport:
            self = .small
        }
    }

    init(_ event: WireEvent.OneOf_What) {
        switch event {
        case .positions: self = .measured(.positions)
        case .presence: self = .measured(.presence)
        case .statusChanged: self = .measured(.statusChanged)
        case .rankingRevised: self = .measured(.rankingRevised)
        case .invited: self = .measured(.invited)
        case .joined: self = .measured(.joined)
        case .edited: self = .measured(.edited)
        case .cancelled: self = .measured(.cancelled)
        case .late: self = .measured(.late)
        case .resultFinal: self = .measured(.resultFinal)
        case .excused: self = .measured(.excused)
        case .linkViewChanged: self = .measured(.linkViewChanged)
        case .courseShared: self = .measured(.course)
        case .eta, .pace, .cannotCount, .sharingChanged, .nudged, .arrived, .arrivalConfirmed, .arrivalRetracted,
            .declined,
            .left, .removed, .handedOver, .trackingStarted, .meetingTime, .trackingEnded, .friendRequested,
            .friendAdded, .friendRemoved, .statisticsChanged, .sessionRevoked, .viewLinkCreated, .viewLinkRevoked,
            .viewersChanged, .linkSharingChanged, .weatherChanged, .notification, .outlookReady,
            .visitMade, .recordingInterrupted, .exportReady:
            self = .small
        }
    }
}
