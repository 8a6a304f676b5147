import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// Visits, photos, courses, tracks and files over real connections, for every relation to their user: a denied one
/// gives the same bytes as one that does not exist.
@Suite("Audiences and relations", .tags(.realTime), .timeLimit(.minutes(2)))
struct AudienceTableTests {
    private static let patient: @Sendable (inout ServerSettings) -> Void = { $0.limits.requestBurst = 1_000 }

    struct Row: Sendable {
        let relation: Relation
        let sees: Set<Thing>
    }

    static let rows = [
        Row(relation: .own, sees: Set(Thing.allCases)),
        Row(relation: .friend, sees: [.visitForFriends, .courseForFriends]),
        Row(relation: .companion, sees: [.visitForFriends, .visitForCompanions, .courseForFriends]),
        // A visit still names them, but its companions see it while they are friends.
        Row(relation: .formerFriendAndCompanion, sees: []),
        Row(relation: .chosenFriend, sees: [.visitForFriends, .courseForFriends, .courseForPeople]),
        Row(relation: .participant, sees: [.courseOfPromise]),
        // Each of them was a chosen friend before, the last two companions and participants as well.
        Row(relation: .formerFriend, sees: []), Row(relation: .blocked, sees: []), Row(relation: .blocking, sees: []),
        Row(relation: .stranger, sees: []), Row(relation: .administrator, sees: []),
        Row(relation: .viewLink, sees: []),
    ]

    @Test(.defends("wrong-audience"), arguments: WireCodec.allCases)
    func `each relation sees exactly its row of the table`(codec: WireCodec) async throws {
        try #require(Self.rows.map(\.relation) == Relation.allCases)
        try await ServerWorld.with(codec: codec, configure: Self.patient) { world in
            try await world.with("Ada", "Bea", "Cem", "Dee", "Eli", "Fay", "Gil", "Hal", "Ivy", "Jon") { people in
                let cast = Dictionary(uniqueKeysWithValues: zip(Relation.allCases, people))
                let shelf = try await Shelf.fill(for: cast, at: world.now)
                try await world.administered { admin, connect in
                    for row in Self.rows {
                        let device = try await row.relation == .administrator ? admin : connect()
                        if let person = cast[row.relation] { try await person.signIn(on: device) }
                        if row.relation == .viewLink {
                            let watch = WireRequest.watchByLink(.with { $0.code = shelf.viewCode })
                            #expect(try await device.refusal(watch) == nil)
                        }
                        try await Self.expect(row, of: shelf, on: device)
                    }
                }
            }
        }
    }

    private static func expect(_ row: Row, of shelf: Shelf, on device: Device) async throws {
        for (thing, items) in shelf.items {
            for item in items {
                let comment: Comment = "\(row.relation): \(thing) by \(item.name)"
                let answer = try await device.answer(to: item.request(of: item.id))
                let aboutNothing = try await device.answer(to: item.request(of: Shelf.unknown))
                #expect((answer == aboutNothing) != row.sees.contains(thing), comment)
                let content = try device.frame(answer).content
                guard case .error(let error) = content else {
                    #expect(row.sees.contains(thing), comment)
                    continue
                }
                let code = row.relation.isUser ? item.refusal : .authForbidden
                #expect(error.code == code.rawValue && !row.sees.contains(thing), comment)
            }
        }
        guard row.relation.isUser, row.relation != .own else { return }
        // The user's lists contain the same, except the course of the promise.
        let listed = Set(row.sees.subtracting([.courseOfPromise]).compactMap { shelf.items[$0]?.first?.id })
        let visits = try await device.call(.listVisits(.with { $0.userID = shelf.userID })).expect(\.visits)
        let list = WireListCourses.with { ($0.list, $0.userID) = (.shared, shelf.userID) }
        let courses = try await device.call(.listCourses(list)).expect(\.courses)
        let found = visits.visits.map(\.visitID) + courses.courses.map(\.courseID)
        #expect(Set(found) == listed && found.count == listed.count, "\(row.relation)")
    }
}

/// A reader's relation to the owner, in the order of the table.
enum Relation: CaseIterable, Sendable {
    case own, friend, companion, formerFriendAndCompanion, chosenFriend
    /// In a promise with a course of the user, otherwise a stranger.
    case participant
    case formerFriend, blocked, blocking, stranger, administrator, viewLink

    /// `true` for a user with an account.
    var isUser: Bool { self != .administrator && self != .viewLink }
}

/// A kind of object with its audience.
enum Thing: CaseIterable, Sendable {
    case visitForNobody, visitForCompanions, visitForFriends
    case courseForNobody, courseForFriends, courseForPeople
    /// Private, but in a promise.
    case courseOfPromise
    /// A file without a visit or course.
    case file
}

/// The objects of one user, each with the requests that show it, and the relations that show them to others.
private struct Shelf: Sendable {
    /// A request about an object, and the id in it.
    struct Item: Sendable {
        let name: String
        let id: String
        let refusal: ErrorCode
        let request: @Sendable (String) -> WireRequest

        func request(of id: String) -> WireRequest { request(id) }
    }

    static let unknown = "01940000-0000-7000-8000-000000000001"

    let userID: String
    /// The code of a view link of the promise that carries a course.
    let viewCode: String
    let items: [Thing: [Item]]

    /// Creates one object of each kind in `own` while all others except the stranger may see some, and then ends the
    /// former relations.
    static func fill(for cast: [Relation: Person], at now: Instant) async throws -> Shelf {
        func people(_ relations: Relation...) throws -> [Person] { try relations.map { try #require(cast[$0]) } }
        let user = try #require(cast[.own])
        let blocks = try people(.blocked, .blocking)
        let companions = try people(.companion, .formerFriendAndCompanion) + blocks
        let chosen = try people(.chosenFriend, .formerFriend) + blocks
        for friend in try people(.friend, .chosenFriend, .formerFriend) + companions { try await user.befriend(friend) }
        let items = try await items(of: user, companions, chosen, at: now)
        let carried = try #require(items[.courseOfPromise]?.first?.id)
        let promise = try await user.promise(with: [], at: now + .hours(2)) { $0.courseID = carried }
        let code = try await user.invite(to: promise.promiseID).code
        for person in try people(.participant) + blocks { _ = try await person.client.call(.joinByCode(.typed(code))) }
        for person in try people(.formerFriend, .formerFriendAndCompanion) {
            _ = try await user.client.removeFriend(userID: person.id)
        }
        _ = try await user.client.blockUser(userID: blocks[0].id)
        _ = try await blocks[1].client.blockUser(userID: user.id)
        let link = try await user.client.createViewLink(promiseID: promise.promiseID)
        return Shelf(userID: user.id, viewCode: link.code, items: items)
    }

    private static func items(
        of user: Person,
        _ companions: [Person],
        _ chosen: [Person],
        at now: Instant
    ) async throws -> [Thing: [Item]] {
        var items: [Thing: [Item]] = [:]
        for (thing, audience) in [
            (.visitForNobody, .private), (.visitForCompanions, .companions), (.visitForFriends, .friends),
        ] as [(Thing, WireAudience.Value)] {
            items[thing] = try await user.keepVisit(for: audience, with: companions, at: now)
        }
        for (thing, audience) in [
            (.courseForNobody, .private), (.courseForFriends, .friends), (.courseForPeople, .people),
            (.courseOfPromise, .private),
        ] as [(Thing, WireAudience.Value)] {
            items[thing] = try await user.keepCourse(for: audience, chosen)
        }
        items[.file] = [.file(try await user.upload(.track(points: 9)).fileID)]
        return items
    }
}

extension Shelf.Item {
    fileprivate static func visit(_ id: String) -> Self {
        Self(name: "getVisit", id: id, refusal: .visitNotFound) { id in .getVisit(.with { $0.visitID = id }) }
    }

    fileprivate static func course(_ id: String) -> Self {
        Self(name: "getCourse", id: id, refusal: .courseNotFound) { id in .getCourse(.with { $0.courseID = id }) }
    }

    fileprivate static func track(_ id: String) -> Self {
        Self(name: "getTrack", id: id, refusal: .courseNotFound) { id in .getTrack(.with { $0.courseID = id }) }
    }

    fileprivate static func file(_ id: String) -> Self {
        Self(name: "readFile", id: id, refusal: .fileNotFound) { id in .readFile(.with { $0.fileID = id }) }
    }
}

extension Person {
    /// Makes a visit with a photo.
    fileprivate func keepVisit(
        for audience: WireAudience.Value,
        with companions: [Person],
        at now: Instant
    ) async throws -> [Shelf.Item] {
        let photo = try await upload(.picture).fileID
        var request = WireCreateVisit.sample(at: now)
        request.audience = audience
        request.photos = [.with { $0.fileID = photo }]
        request.companions = companions.map { person in .with { $0.user.userID = person.id } }
        return [.visit(try await client.createVisit(request).visitID), .file(photo)]
    }

    /// Makes a course with a photo; of the audience `people` those are chosen.
    fileprivate func keepCourse(for audience: WireAudience.Value, _ chosen: [Person]) async throws -> [Shelf.Item] {
        let id = try await course().courseID
        let photo = try await upload(.picture).fileID
        _ = try await client.updateCourse(
            .with { ($0.courseID, $0.version, $0.photos) = (id, 1, [.with { $0.fileID = photo }]) }
        )
        if audience != .private {
            let people = audience == .people ? chosen.map(\.id) : []
            _ = try await client.shareCourse(courseID: id, audience: audience, userIds: people, hideMetres: 200)
        }
        return [.course(id), .track(id), .file(photo)]
    }
}
