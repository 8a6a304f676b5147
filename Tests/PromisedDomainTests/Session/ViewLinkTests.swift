import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The view link: its owner, its expiry, and the participants who agree to be seen.
@Suite struct ViewLinkTests {
    static let promise = Promise.sample()
    static let hash = [UInt8](repeating: 7, count: 32)

    static func at(_ second: Double) -> Instant { .meeting + .seconds(second) }

    static func link(_ byte: UInt8 = 7, until expiresAt: Instant? = nil) -> ViewLink {
        let hash = [UInt8](repeating: byte, count: 32)
        return ViewLink(codeHash: hash, createdAt: .meeting - .minutes(40), expiresAt: expiresAt)
    }

    // MARK: - Making and revoking

    @Test(
        .proves("createViewLink", "viewLinkCreated"),
        arguments: [
            // 1 owns, 2 accepted, 3 is invited, 4 declined, 5 left, 9 is a stranger.
            (1, -3_600, nil), (2, -3_600, .promiseNotOwner), (3, -3_600, .promiseNotOwner),
            (4, -3_600, .promiseNotFound), (5, -3_600, .promiseNotFound), (9, -3_600, .promiseNotFound),
            // One before the window's end, and on it.
            (1, 10_799.999, nil), (1, 10_800, .promiseClosed),
        ] as [(UInt64, Double, Refusal?)]
    )
    func `the owner can create a link until the window ends`(user: UInt64, second: Double, refusal: Refusal?) {
        var world = MembershipTests.world()
        let before = world.events.count
        let reply = world.send(.makeViewLink(Self.link(), by: .user(user)), at: Self.at(second))
        #expect(reply?.refusal == refusal)
        let made = world.events.dropFirst(before).filter { $0.event == .viewLinkCreated(until: Self.promise.closesAt) }
        #expect(made.count == (refusal == nil ? 1 : 0))
        #expect((world.archive.viewLink == nil) == (refusal != nil))
    }

    @Test func `a cancelled promise has no link and rejects a new one`() {
        var world = SessionWorld(accepted: 2)
        world.send(.makeViewLink(Self.link(), by: .user(1)), at: Self.at(-3_600))
        world.send(.cancel(by: .user(1), reason: "rain"), at: Self.at(-3_500))
        #expect(world.machine.endOfViewLink(Self.hash, at: Self.at(-3_500)) == .cancelled)
        #expect(world.machine.viewLinkEnd(at: Self.at(-3_500)) == nil)
        let reply = world.send(.makeViewLink(Self.link(8), by: .user(1)), at: Self.at(-3_400))
        #expect(reply?.refusal == .promiseClosed)
    }

    @Test(.proves("revokeViewLink", "viewLinkRevoked")) func `only the owner revokes a link, announced once`() {
        var world = SessionWorld(accepted: 2)
        #expect(world.send(.revokeViewLink(by: .user(1)), at: Self.at(-3_600)) == .done)
        #expect(world.events.isEmpty)
        world.send(.makeViewLink(Self.link(), by: .user(1)), at: Self.at(-3_500))
        #expect(world.send(.revokeViewLink(by: .user(2)), at: Self.at(-3_400))?.refusal == .promiseNotOwner)
        #expect(world.machine.endOfViewLink(Self.hash, at: Self.at(-3_400)) == nil)
        #expect(world.send(.revokeViewLink(by: .user(1)), at: Self.at(-3_300)) == .done)
        #expect(world.send(.revokeViewLink(by: .user(1)), at: Self.at(-3_300)) == .done)
        #expect(world.events.map(\.event) == [.viewLinkCreated(until: Self.promise.closesAt), .viewLinkRevoked])
        #expect(world.archive.viewLink == nil)
        #expect(world.machine.endOfViewLink(Self.hash, at: Self.at(-3_300)) == .revoked)
    }

    @Test func `a new link replaces the previous one`() {
        var world = SessionWorld(accepted: 1)
        world.send(.makeViewLink(Self.link(7), by: .user(1)), at: Self.at(-3_600))
        world.send(.makeViewLink(Self.link(8), by: .user(1)), at: Self.at(-3_500))
        #expect(world.machine.endOfViewLink(Self.link(7).codeHash, at: Self.at(-3_500)) == .replaced)
        #expect(world.machine.endOfViewLink(Self.link(8).codeHash, at: Self.at(-3_500)) == nil)
        #expect(world.archive.viewLink == Self.link(8))
    }

    // MARK: - The end

    @Test(
        .proves("4.18"),
        arguments: [
            (nil, 10_800), (100, 100), (10_799, 10_799), (10_800, 10_800), (99_999, 10_800),
        ] as [(Double?, Double)]
    )
    func `a link expires at its time, at the latest with the window`(expires: Double?, end: Double) {
        var world = SessionWorld(accepted: 1)
        let link = Self.link(until: expires.map(Self.at))
        world.send(.makeViewLink(link, by: .user(1)), at: Self.at(-3_600))
        #expect(world.machine.viewLinkEnd(at: Self.at(-3_600)) == Self.at(end))
        #expect(world.machine.endOfViewLink(Self.hash, at: Self.at(end - 0.001)) == nil)
        #expect(world.machine.endOfViewLink(Self.hash, at: Self.at(end)) == .expired)
        #expect(world.machine.viewLinkEnd(at: Self.at(end)) == nil)
    }

    @Test func `the machine requests a wake when the link expires, also before the window`() {
        var world = SessionWorld(accepted: 1)
        world.send(.makeViewLink(Self.link(until: Self.at(-2_000)), by: .user(1)), at: Self.at(-3_600))
        #expect(world.wakeAt == Self.at(-2_000))
    }

    @Test func `moving a promise moves the expiry of its link`() {
        var world = SessionWorld(accepted: 1)
        world.send(.makeViewLink(Self.link(), by: .user(1)), at: Self.at(-3_600))
        var edit = PromiseEdit(version: 1)
        edit.meetsAt = Self.at(600)
        world.send(.edit(edit, by: .user(1)), at: Self.at(-3_500))
        #expect(world.machine.viewLinkEnd(at: Self.at(-3_500)) == Self.at(11_400))
    }

    @Test func `a restart keeps the link and the consents`() {
        var world = SessionWorld(accepted: 2)
        world.send(.makeViewLink(Self.link(), by: .user(1)), at: Self.at(-3_600))
        world.send(.setLinkSharing(.user(2), on: true), at: Self.at(-3_500))
        world.restart(at: Self.at(-3_400))
        #expect(world.machine.endOfViewLink(Self.hash, at: Self.at(-3_400)) == nil)
        #expect(world.machine.shownToViewers == [.user(2)])
    }

    // MARK: - Agreement

    @Test(
        .proves("setLinkSharing"),
        arguments: [
            (1, nil), (2, nil), (3, .promiseNotAccepted), (4, .promiseNotAccepted), (5, .promiseNotAccepted),
            (6, .promiseNotAccepted), (7, nil), (9, .promiseNotFound),
        ] as [(UInt64, Refusal?)]
    )
    func `participants can consent to viewers, initially none does`(user: UInt64, refusal: Refusal?) {
        var world = MembershipTests.world()
        #expect(world.machine.shownToViewers.isEmpty)
        let reply = world.send(.setLinkSharing(.user(user), on: true), at: Self.at(-3_600))
        #expect(reply?.refusal == refusal)
        #expect(world.machine.shownToViewers == (refusal == nil ? [.user(user)] : []))
        #expect(world.told == (refusal == nil ? [.linkSharing(.user(user), on: true)] : []))
    }

    @Test(.proves("linkSharingChanged")) func `announces a repeated consent once and its withdrawal at once`() {
        var world = SessionWorld(accepted: 2)
        for on in [true, true, false, false] {
            world.send(.setLinkSharing(.user(2), on: on), at: Self.at(-3_600))
        }
        #expect(world.told == [.linkSharing(.user(2), on: true), .linkSharing(.user(2), on: false)])
        #expect(world.machine.shownToViewers.isEmpty)
    }

    @Test func `hides a leaving participant, who returns without consent`() {
        var world = SessionWorld(accepted: 3)
        world.send(.setLinkSharing(.user(2), on: true), at: Self.at(-3_600))
        world.send(.setLinkSharing(.user(3), on: true), at: Self.at(-3_600))
        world.send(.leave(.user(2)), at: Self.at(-3_500))
        #expect(world.machine.shownToViewers == [.user(3)])
        world.send(.join(.user(2)), at: Self.at(-3_400))
        #expect(world.machine.shownToViewers == [.user(3)])
        var edit = PromiseEdit(version: world.machine.promise.version)
        edit.remove = [.user(3)]
        world.send(.edit(edit, by: .user(1)), at: Self.at(-3_300))
        #expect(world.machine.shownToViewers.isEmpty)
    }

    @Test func `rejects links and consents after the end`() {
        var world = SessionWorld(accepted: 1)
        world.finish()
        let reply = world.send(.setLinkSharing(.user(1), on: true), at: Self.at(20_000))
        #expect(reply?.refusal == .promiseClosed)
    }

    // MARK: - How many watch

    @Test(.proves("viewersChanged"))
    func `announces the number of viewers at once, then at most once a second, and last the final one`() {
        var world = SessionWorld(accepted: 1)
        world.send(.viewers(1), at: Self.at(-3_600))
        #expect(world.told == [.viewers(1)])
        world.send(.viewers(2), at: Self.at(-3_599.9))
        world.send(.viewers(3), at: Self.at(-3_599.5))
        #expect(world.told == [.viewers(1)])
        #expect(world.wakeAt == Self.at(-3_599))
        world.run(to: Self.at(-3_599))
        #expect(world.told == [.viewers(1), .viewers(3)])
        #expect(world.machine.view(at: Self.at(-3_599)).viewerCount == 3)
    }

    @Test func `does not announce a number that returned to its old value`() {
        var world = SessionWorld(accepted: 1)
        world.send(.viewers(1), at: Self.at(-3_600))
        world.send(.viewers(2), at: Self.at(-3_599.9))
        world.send(.viewers(1), at: Self.at(-3_599.8))
        world.run(to: Self.at(-3_500))
        #expect(world.told == [.viewers(1)])
    }
}
