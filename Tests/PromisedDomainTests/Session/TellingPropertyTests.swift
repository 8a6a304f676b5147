import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

/// Transient events keep listeners up to date with the session, in random lives of promises; failures name their seed.
@Suite struct TellingPropertyTests {
    /// A listener's knowledge of the people of one promise.
    struct Listener {
        var freshness: [UserID: Freshness] = [:]
        var causes: [UserID: PresenceCause] = [:]
        var estimates: [UserID: (state: ArrivalEstimate.State, at: Instant)] = [:]
        private var heardCount = 0

        /// Receives the announcements since the last call, all at `now`.
        mutating func hear(_ world: SessionWorld, at now: Instant) {
            for event in world.told[heardCount...] {
                switch event {
                case .presence(let presences):
                    for presence in presences {
                        freshness[presence.userID] = presence.freshness
                        causes[presence.userID] = presence.cause
                    }
                case .estimate(let userID, let estimate): estimates[userID] = (estimate.state, now)
                default: break
                }
            }
            heardCount = world.told.count
        }

        /// Removes a participant who has left.
        mutating func forget(_ userID: UserID) {
            freshness[userID] = nil
            causes[userID] = nil
            estimates[userID] = nil
        }
    }

    /// `true` if a listener has what the session shows of a member, or may lack it: an estimate is sent up to 15 s
    /// after another, and with the next report where one is expected.
    static func isUpToDate(_ listener: Listener, on member: SessionView.Member, at now: Instant) -> Bool {
        let userID = member.participant.userID
        if let presence = member.presence {
            guard presence.freshness == listener.freshness[userID] ?? .lost,
                presence.cause == listener.causes[userID] ?? PresenceCause.none
            else { return false }
        }
        guard let state = member.estimate?.state else { return true }
        let told = listener.estimates[userID]
        if state == told?.state ?? .unknown || member.presence?.freshness == .live { return true }
        return told.map { now - $0.at < .seconds(15) } ?? false
    }

    @Test(arguments: 1...40)
    func `a listener's state equals a new snapshot at any moment`(seed: Int) {
        let script = SessionScript(seed: seed)
        var world = SessionWorld(script.promise, participants: script.participants)
        var listener = Listener()
        func check(at now: Instant) {
            listener.hear(world, at: now)
            for member in world.machine.view(at: now).members {
                guard member.participant.membership == .accepted else {
                    listener.forget(member.participant.userID)
                    continue
                }
                #expect(
                    Self.isUpToDate(listener, on: member, at: now),
                    "seed \(seed), \(now - script.promise.meetsAt) from the meeting, \(member.participant.userID)"
                )
            }
        }
        for step in script.steps {
            while let wakeAt = world.wakeAt, wakeAt <= step.at {
                // One before, and on it.
                check(at: max(wakeAt - .milliseconds(1), script.promise.createdAt))
                world.run(to: wakeAt)
                check(at: wakeAt)
            }
            check(at: step.at)
            world.send(step.event, at: step.at)
            check(at: step.at)
        }
    }

    @Test(arguments: 1...40)
    func `a listener's state equals a new snapshot after each wake, however late`(seed: Int) {
        let script = SessionScript(seed: seed)
        var world = SessionWorld(script.promise, participants: script.participants)
        var listener = Listener()
        var generator = SeededGenerator(seed: UInt64(seed))
        for step in script.steps {
            while let wakeAt = world.wakeAt, wakeAt + .milliseconds(20) <= step.at {
                let other = UserID.user(.random(in: 1...7, using: &generator))
                let between = wakeAt + .milliseconds(.random(in: 0...10, using: &generator))
                if Bool.random(using: &generator) {
                    world.sendUnwoken(.connection(other, isOnline: true), at: between)
                }
                let late = wakeAt + .milliseconds(.random(in: 10...20, using: &generator))
                world.wakeOrPutOff(at: late)
                listener.hear(world, at: late)
                for member in world.machine.view(at: late).members {
                    guard member.participant.membership == .accepted else {
                        listener.forget(member.participant.userID)
                        continue
                    }
                    // The next wake announces all changes that became due while this one was late.
                    let isDue = world.wakeAt.map { $0 <= late } ?? false
                    #expect(
                        isDue || Self.isUpToDate(listener, on: member, at: late),
                        "seed \(seed), \(late - script.promise.meetsAt) from the meeting, \(member.participant.userID)"
                    )
                }
            }
            world.sendUnwoken(step.event, at: step.at)
        }
    }
}
