import Foundation
import PromisedClient
import PromisedDomain
import PromisedFormats
import PromisedJournal
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Shared courses over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct CourseSharingConversationTests {
    private static let nowhere = "01940000-0000-7000-8000-000000000001"

    @Test(
        .proves("17.9", "getCourse", "getTrack", "listCourses", "copyCourse", "shareCourse", "exportCourse"),
        .proves("courseShared", "course.not-found"),
        .defends("wrong-audience"),
        arguments: [WireAudience.Value.private, .friends, .people]
    )
    func `only the audience sees a course and its photos, without its ends`(
        audience: WireAudience.Value
    ) async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cem", "Dee") { ada, bea, cem, dee in
                // Bea is chosen, Cem is another friend, Dee is a stranger.
                try await ada.befriend(bea)
                try await ada.befriend(cem)
                var course = try await ada.course()
                let photo = try await ada.upload(.picture)
                course = try await ada.client.updateCourse(
                    .with {
                        ($0.courseID, $0.version) = (course.courseID, 1)
                        $0.photos = [.with { $0.fileID = photo.fileID }]
                    }
                )
                let chosen = audience == .people ? [bea.id] : []
                let shared = try await ada.client.shareCourse(
                    courseID: course.courseID,
                    audience: audience,
                    userIds: chosen,
                    hideMetres: 300
                )
                #expect(
                    shared.audience == audience && shared.people.map(\.userID) == chosen && shared.hideMetres == 300
                )
                func expect(_ person: Person, sees: Bool, _ comment: Comment) async throws {
                    let id = course.courseID
                    let refusal: ErrorCode? = sees ? nil : .courseNotFound
                    #expect(await person.refusal(.getCourse(.with { $0.courseID = id })) == refusal, comment)
                    #expect(await person.refusal(.getTrack(.with { $0.courseID = id })) == refusal, comment)
                    let copy = WireCopyCourse.with { ($0.key, $0.courseID) = (UUID().uuidString, id) }
                    #expect(await person.refusal(.copyCourse(copy)) == refusal, comment)
                    let export = WireExportCourse.with { ($0.courseID, $0.format) = (id, .gpx) }
                    #expect(await person.refusal(.exportCourse(export)) == refusal, comment)
                    #expect(await person.refusal(.getShareText(.with { $0.courseID = id })) == refusal, comment)
                    let readable = await person.refusal(.readFile(.with { $0.fileID = photo.fileID }))
                    #expect(readable == (sees ? nil : .fileNotFound), comment)
                    guard person.id != ada.id else { return }
                    let listed = try await person.client.listCourses(list: .shared, userID: ada.id).courses
                    #expect(listed.map(\.courseID) == (sees ? [id] : []), comment)
                    guard let seen = listed.first else { return }
                    #expect(seen.user.nickname == "Ada" && seen.folderID.isEmpty && !seen.hasStartedAt, comment)
                    #expect(seen.hideMetres == 0 && seen.people.isEmpty && seen.stops.isEmpty, comment)
                    let points = try await person.client.getTrack(courseID: id).points
                    #expect(!points.isEmpty && points.allSatisfy { !$0.hasAt }, comment)
                    for end in [UploadSample.start, UploadSample.end(of: 60)] {
                        let nearest = points.map { point in
                            Coordinate(latitude: point.latitude, longitude: point.longitude).distanceMetres(to: end)
                        }.min()
                        #expect(try #require(nearest) > 300, comment)
                    }
                }
                try await expect(ada, sees: true, "the user")
                try await expect(bea, sees: audience != .private, "a chosen friend")
                try await expect(cem, sees: audience == .friends, "another friend")
                try await expect(dee, sees: false, "a stranger")
                if audience == .people { await bea.wait { $0.contains { $0.what?.sharedCourse != nil } } }
                _ = try await ada.client.removeFriend(userID: bea.id)
                try await expect(bea, sees: false, "a former friend")
                _ = try await ada.client.blockUser(userID: cem.id)
                try await expect(cem, sees: false, "a blocked friend")
            }
        }
    }

    @Test(.proves("17.9", "getCourse", "course.not-found"))
    func `a promise shows its owner's course to its participants`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cem") { ada, bea, cem in
                let course = try await ada.course()
                let promise = try await ada.promise(with: [bea], at: world.now + .hours(3)) {
                    $0.courseID = course.courseID
                }
                #expect(promise.courseID == course.courseID)
                let get = WireRequest.getCourse(.with { $0.courseID = course.courseID })
                #expect(await bea.refusal(get) == nil)
                #expect(await cem.refusal(get) == .courseNotFound)
                let gone = WireUpdatePromise.with {
                    ($0.promiseID, $0.version, $0.courseID) = (promise.promiseID, promise.version, Self.nowhere)
                }
                #expect(await ada.refusal(.updatePromise(gone)) == .courseNotFound)
                var without = gone
                without.courseID = ""
                let changed = try await ada.client.updatePromise(without).promise
                #expect(changed.courseID.isEmpty)
                #expect(await bea.refusal(get) == .courseNotFound)
                // Another user's course counts as unknown.
                let theirs = try await bea.course()
                let create = WireCreatePromise.sample(meetsAt: world.now + .hours(3))
                var carrying = create
                carrying.courseID = theirs.courseID
                #expect(await ada.refusal(.createPromise(carrying)) == .courseNotFound)
            }
        }
    }

    @Test(arguments: [false, true])
    func `deleting a course removes it from the promise at once`(withFolder: Bool) async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let course = try await ada.course()
                let promise = try await ada.promise(with: [bea], at: world.now + .hours(3)) {
                    $0.courseID = course.courseID
                }
                let get = WireRequest.getPromise(.with { $0.promiseID = promise.promiseID })
                let before = try await bea.client.call(get)
                if withFolder {
                    try await ada.client.deleteFolder(folderID: course.folderID, withCourses: true)
                } else {
                    try await ada.client.deleteCourse(courseID: course.courseID)
                }
                let after = try await bea.client.call(get)
                guard case .promise(let carrying) = before, case .promise(let bare) = after else {
                    throw ClientError.unexpectedReply
                }
                #expect(carrying.promise.courseID == course.courseID && bare.promise.courseID.isEmpty)
                #expect(bare.promise.version == carrying.promise.version)
            }
        }
    }
}
