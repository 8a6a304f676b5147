import Foundation
import PromisedDomain
import PromisedServer
import PromisedStore
import Testing

@testable import PromisedAccess
@testable import promised

@Suite(.timeLimit(.minutes(1))) struct SeedPlanTests {
    private let now = Instant(milliseconds: 1_795_000_000_000)

    private func plan(_ users: Int, _ members: Int, meetsIn: TimeSpan = .minutes(25)) -> SeedPlan {
        SeedPlan(users: users, members: members, meetsIn: meetsIn, spans: WindowSpans(), lifetime: .hours(1))
    }

    @Test(arguments: [(10, 5, 2), (11, 5, 3), (1, 5, 1), (5, 1, 5)])
    func `every user takes part in one promise`(users: Int, members: Int, groups: Int) {
        var generator = RandomSource.system
        let plan = plan(users, members)
        #expect(plan.groups == groups)
        let all = (0..<groups).map { plan.group($0, at: now, using: &generator) }
        #expect(all.flatMap(\.users).map(\.nicknameKey) == (1...users).map { "load_\($0)" })
        for group in all {
            #expect(group.meetup.participants.map(\.userID) == group.users.map(\.id))
            #expect(group.meetup.promise.ownerID == group.users[0].id)
            #expect(
                group.meetup.events.map(\.seq)
                    == Array(1...max(1, 2 * group.users.count - 2)).filter { _ in group.users.count > 1 }
            )
        }
    }

    @Test(arguments: [(TimeSpan.minutes(25), true), (.minutes(29), true), (.minutes(31), false)])
    func `promises with a near meeting time are tracking`(meetsIn: TimeSpan, isTracking: Bool) {
        var generator = RandomSource.system
        let promise = plan(2, 2, meetsIn: meetsIn).group(0, at: now, using: &generator).meetup.promise
        #expect((promise.status(at: now) == .tracking) == isTracking)
        #expect(promise.createdAt <= now)
        #expect(promise.createdAt + .minutes(30) <= promise.meetsAt)
    }

    @Test func `only users who meet are friends`() {
        var generator = RandomSource.system
        let plan = plan(6, 3)
        let groups = (0..<2).map { plan.group($0, at: now, using: &generator) }
        #expect(plan.batch(groups, at: now).friendships.count == 6)
    }

    @Test func `the tokens are valid, and only their owner can read the file`() async throws {
        let directory = NSTemporaryDirectory() + "promised-seed-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let lines = try await Seeder(directory: directory, lifetime: .minutes(5)).write(plan(4, 2))
        #expect(lines.count == 4)
        let file = directory + "/tokens"
        try TokenFile.write(["old"], to: file)
        try TokenFile.write(lines, to: file)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text == (["promised-seed-1"] + lines).joined(separator: "\n") + "\n")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)

        let fields = lines[0].split(separator: "\t").map(String.init)
        #expect(fields.count == 7)
        #expect(fields[5] == "owner")
        let key = try #require(try SigningKeyFile(dataDirectory: directory).load())
        let signer = await AccessTokenSigner(key: key, lifetime: .minutes(5))
        let present = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        let claims = try await signer.verify(fields[6], at: present)
        #expect(claims.user.description == fields[0])

        let store = try await Store.open(directory: directory)
        #expect(try await store.accounts.authSession(claims.signIn)?.userID == claims.user)
        #expect(try await store.upkeep.verify() == [])
        await #expect(throws: StoreError.locked) { try await Seeder(directory: directory, lifetime: .minutes(5)) }
        try await store.close()
    }
}
