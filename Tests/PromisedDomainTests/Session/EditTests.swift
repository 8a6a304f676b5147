import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The changes that an owner may make, and when (domain §4).
@Suite struct EditTests {
    static let promise = Promise.sample()
    static let before = promise.opensAt - .milliseconds(1)

    static func edit(_ version: Int = 1, _ change: (inout PromiseEdit) -> Void) -> PromiseEdit {
        var edit = PromiseEdit(version: version)
        change(&edit)
        return edit
    }

    static func send(
        _ edit: PromiseEdit,
        by user: UInt64 = 1,
        hasRoom: Bool = true,
        at now: Instant = before,
        to world: inout SessionWorld
    ) -> Refusal? {
        world.send(.edit(edit, by: .user(user), hasRoom: hasRoom), at: now)?.refusal
    }

    @Test func `accepts changes of every field before the window opens`() {
        var world = SessionWorld(accepted: 2)
        let place = Place(name: "The park", coordinate: Coordinate(latitude: 1, longitude: 2))
        let edit = Self.edit {
            $0.title = "Lunch"
            $0.note = "Bring bread"
            $0.place = place
            $0.meetsAt = .meeting + .hours(1)
            $0.radiusMetres = 80
            $0.penalty = Penalty(amount: 500, currency: "EUR")
        }
        #expect(Self.send(edit, to: &world) == nil)
        let promise = world.machine.promise
        #expect(promise.title == "Lunch")
        #expect(promise.note == "Bring bread")
        #expect(promise.place == place)
        #expect(promise.meetsAt == .meeting + .hours(1))
        #expect(promise.radiusMetres == 80)
        #expect(promise.penalty == Penalty(amount: 500, currency: "EUR"))
        #expect(promise.version == 2)
        #expect(world.announced == [.edited])
        #expect(world.archive.promise == promise)
    }

    @Test(.proves("4.11")) func `a moved promise opens at its new time and measures from its new place`() {
        var world = SessionWorld(accepted: 2)
        let place = Place(name: "The park", coordinate: Coordinate(latitude: 0, longitude: 10))
        let edit = Self.edit {
            $0.place = place
            $0.meetsAt = .meeting + .hours(1)
        }
        #expect(Self.send(edit, to: &world) == nil)
        world.run(to: .meeting)
        #expect(world.machine.mark == .none)
        world.walk(2, [(3_600, 10), (3_605, 10)], from: place.coordinate)
        #expect(world.entry(2)?.arrival.creditedAt == .meeting + .hours(1))
        world.finish()
        #expect(world.machine.result?.meetsAt == .meeting + .hours(1))
    }

    @Test func `an edit without a difference changes nothing`() {
        var world = SessionWorld(accepted: 2)
        #expect(Self.send(Self.edit { $0.title = Self.promise.title }, to: &world) == nil)
        #expect(world.machine.promise.version == 1)
        #expect(world.announced.isEmpty)
    }

    @Test func `an empty penalty removes it`() {
        var world = SessionWorld(.sample(penalty: Penalty(amount: 5, currency: "KRW")), accepted: 2)
        #expect(Self.send(Self.edit { $0.penalty = Penalty(amount: 0, currency: "KRW") }, to: &world) == nil)
        #expect(world.machine.promise.penalty == nil)
    }

    @Test(.proves("4.11"), arguments: [0, 2, 3])
    func `accepts only edits of the current version`(version: Int) {
        var world = SessionWorld(accepted: 2)
        #expect(Self.send(Self.edit(version) { $0.title = "Lunch" }, to: &world) == .promiseStaleVersion)
        #expect(world.machine.promise.title == Self.promise.title)
    }

    @Test(arguments: [(UInt64(2), Refusal.promiseNotOwner), (9, .promiseNotFound)])
    func `accepts only edits of the owner`(user: UInt64, refusal: Refusal) {
        var world = SessionWorld(accepted: 2)
        #expect(Self.send(Self.edit { $0.title = "Lunch" }, by: user, to: &world) == refusal)
    }

    @Test(.proves("4.12")) func `accepts only title and note after the window opened`() {
        var world = SessionWorld(accepted: 3)
        let open = Self.promise.opensAt
        #expect(Self.send(Self.edit { $0.title = "Lunch" }, at: open, to: &world) == nil)
        #expect(Self.send(Self.edit(2) { $0.note = "Late" }, at: open, to: &world) == nil)
        let closed: [PromiseEdit] = [
            Self.edit(3) { $0.radiusMetres = 80 }, Self.edit(3) { $0.meetsAt = .meeting + .hours(2) },
            Self.edit(3) { $0.place = Place(name: "x", coordinate: .meetingPlace) },
            Self.edit(3) { $0.penalty = Penalty(amount: 1, currency: "EUR") },
            Self.edit(3) { $0.invite = [.user(7)] }, Self.edit(3) { $0.remove = [.user(3)] },
        ]
        for edit in closed { #expect(Self.send(edit, at: open, to: &world) == .promiseClosed) }
        #expect(world.machine.promise.version == 3)
    }

    @Test func `rejects all changes of a final or cancelled promise`() {
        var world = SessionWorld(accepted: 2)
        world.finish()
        #expect(Self.send(Self.edit { $0.note = "x" }, at: Self.promise.settlesAt, to: &world) == .promiseClosed)
        var other = SessionWorld(accepted: 2)
        other.send(.cancel(by: .user(1), reason: ""), at: Self.before)
        #expect(Self.send(Self.edit { $0.note = "x" }, to: &other) == .promiseClosed)
    }

    @Test(
        .proves("4.11"),
        arguments: [
            (-2_001, Refusal.promiseTooSoon), (-2_000, nil), (0, nil),
            (366 * 86_400_000 - 1_800_000, nil), (366 * 86_400_000 - 1_799_999, .promiseTooFar),
        ] as [(Int64, Refusal?)]
    )
    func `checks a new time like that of a new promise`(milliseconds: Int64, refusal: Refusal?) {
        var world = SessionWorld(accepted: 2)
        let now = Self.promise.opensAt - .hours(1)
        let meetsAt = now + .minutes(30) + .milliseconds(milliseconds)
        #expect(Self.send(Self.edit { $0.meetsAt = meetsAt }, at: now, to: &world) == refusal)
    }

    @Test(.proves("4.5")) func `without room the time cannot change, and everything else can`() {
        var world = SessionWorld(accepted: 2)
        let later = Self.edit { $0.meetsAt = Self.promise.meetsAt + .hours(1) }
        let same = Self.edit { ($0.meetsAt, $0.title) = (Self.promise.meetsAt, "Lunch") }
        #expect(Self.send(later, hasRoom: false, to: &world) == .promiseLimit)
        #expect(world.announced.isEmpty)
        #expect(Self.send(later, by: 2, hasRoom: false, to: &world) == .promiseNotOwner)
        #expect(Self.send(same, hasRoom: false, to: &world) == nil)
        #expect(world.announced == [.edited])
    }

    @Test(.proves("4.9")) func `invites and removes participants with one event each`() {
        var world = SessionWorld(participants: [.accepted(.user(1)), .accepted(.user(2)), .declined(.user(4))])
        let edit = Self.edit {
            $0.invite = [.user(3), .user(4)]
            $0.remove = [.user(2)]
        }
        #expect(Self.send(edit, to: &world) == nil)
        #expect(world.announced == [.removed(.user(2)), .invited(.user(3)), .invited(.user(4))])
        #expect(world.machine.participant(.user(2))?.membership == .removed)
        #expect(world.machine.participant(.user(4))?.membership == .invited)
        #expect(world.machine.promise.version == 2)
    }

    @Test func `does not invite a participant twice`() {
        var world = SessionWorld(participants: [.accepted(.user(1)), .accepted(.user(2)), .invited(.user(3))])
        #expect(Self.send(Self.edit { $0.invite = [.user(2), .user(3)] }, to: &world) == nil)
        #expect(world.announced.isEmpty)
    }

    @Test func `rejects inviting or removing the owner and removing strangers`() {
        var world = SessionWorld(accepted: 2)
        #expect(Self.send(Self.edit { $0.invite = [.user(1)] }, to: &world) == .invalid(field: "invite"))
        #expect(Self.send(Self.edit { $0.remove = [.user(1)] }, to: &world) == .invalid(field: "remove"))
        #expect(Self.send(Self.edit { $0.remove = [.user(9)] }, to: &world) == .userNotFound)
    }

    @Test(.proves("4.4"), arguments: [(48, Refusal?.none), (49, nil), (50, .promiseLimit)])
    func `limits current participants to 50`(invited: Int, refusal: Refusal?) {
        var world = SessionWorld(participants: [.accepted(.user(1)), .declined(.user(900))])
        let edit = Self.edit { $0.invite = (2..<(2 + UInt64(invited))).map { .user($0) } }
        #expect(Self.send(edit, to: &world) == refusal)
    }

    /// This number of invitees has declined; two new users are invited, or two of those again.
    @Test(
        .proves("4.4"),
        arguments: [(76, false, Refusal?.none), (77, false, nil), (78, false, .promiseLimit), (79, true, nil)]
    )
    func `limits all participants of a promise ever to 80`(gone: UInt64, isKnown: Bool, refusal: Refusal?) {
        let declined = (2..<(2 + gone)).map { Participant.declined(.user($0)) }
        var world = SessionWorld(participants: [.accepted(.user(1))] + declined)
        let edit = Self.edit { $0.invite = isKnown ? [.user(2), .user(3)] : [.user(900), .user(901)] }
        #expect(Self.send(edit, to: &world) == refusal)
    }

    @Test func `a participant removed before the opening has no row in the result`() {
        var world = SessionWorld(accepted: 3)
        #expect(Self.send(Self.edit { $0.remove = [.user(3)] }, to: &world) == nil)
        world.finish()
        #expect(world.machine.result?.rows.map(\.userID) == [.user(1), .user(2)])
    }
}
