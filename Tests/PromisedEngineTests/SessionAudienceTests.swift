import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedEngine

/// The subscribers of a session, without a session.
struct SessionAudienceTests {
    private var audience = SessionAudience()

    private static func connection(_ number: UInt64) -> SubscriberID { SubscriberID(rawValue: number) }

    @Test mutating func `is empty only without participants, administrators and viewers`() {
        #expect(audience.isEmpty)
        audience.subscribe(Self.connection(1), of: .user(1))
        #expect(!audience.isEmpty)
        audience.remove(Self.connection(1))
        audience.watch(Self.connection(2))
        #expect(!audience.isEmpty)
        audience.remove(Self.connection(2))
        audience.viewers.subscribers.insert(Self.connection(3))
        #expect(!audience.isEmpty)
        audience.viewers = ViewerAudience()
        #expect(audience.isEmpty)
    }

    @Test mutating func `checks an accepted subscriber again after a relevant change`() {
        var accepted: Set<UserID> = [.user(1)]
        audience.subscribe(Self.connection(1), of: .user(1))
        audience.subscribe(Self.connection(2), of: .user(2))
        #expect(audience.accepted(accepted.contains) == [Self.connection(1)])
        accepted = [.user(2)]
        #expect(audience.accepted(accepted.contains) == [Self.connection(1)], "asked without a reason")
        audience.membershipsChanged()
        #expect(audience.accepted(accepted.contains) == [Self.connection(2)])
        audience.subscribe(Self.connection(3), of: .user(2))
        #expect(Set(audience.accepted(accepted.contains)) == [Self.connection(2), Self.connection(3)])
        audience.remove(Self.connection(2))
        #expect(audience.accepted(accepted.contains) == [Self.connection(3)])
    }

    @Test mutating func `removes a rejected user with all connections`() {
        for number in UInt64(1)...3 { audience.subscribe(Self.connection(number), of: .user(number % 2)) }
        #expect(Set(audience.subscriptions(of: .user(1))) == [Self.connection(1), Self.connection(3)])
        audience.keep { $0 == .user(0) }
        #expect(audience.subscriptions(of: .user(1)).isEmpty)
        #expect(audience.subscribers == [Self.connection(2): .user(0)])
    }

    @Test mutating func `does not count a watching administrator as a participant`() {
        audience.watch(Self.connection(1))
        #expect(audience.accepted { _ in true }.isEmpty)
        #expect(audience.watchers == [Self.connection(1)])
    }
}
