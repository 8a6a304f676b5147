import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct VisitVisibilityTests {
    /// The user of the visit is 1, its companion 2.
    struct Viewer: CustomTestStringConvertible, Sendable {
        let name: String
        let user: UInt64
        var isFriend = false
        var isBlocked = false
        /// The audiences that let them see it.
        let sees: Set<Audience>
        var testDescription: String { name }
    }

    static let viewers = [
        Viewer(name: "self", user: 1, sees: Set(Audience.allCases)),
        Viewer(name: "friend", user: 3, isFriend: true, sees: [.friends]),
        Viewer(name: "companion who is no friend", user: 2, sees: []),
        Viewer(name: "friend and companion", user: 2, isFriend: true, sees: [.companions, .friends, .people]),
        Viewer(name: "former friend", user: 3, sees: []), Viewer(name: "stranger", user: 4, sees: []),
        Viewer(name: "administrator", user: 5, sees: []),
        Viewer(name: "blocked friend", user: 3, isFriend: true, isBlocked: true, sees: []),
        Viewer(name: "blocked companion", user: 2, isBlocked: true, sees: []),
        Viewer(name: "blocked stranger", user: 4, isBlocked: true, sees: []),
    ]

    @Test(.proves("16.3"), .defends("wrong-audience"), arguments: viewers, Audience.allCases)
    func `only the audience sees a visit`(viewer: Viewer, audience: Audience) {
        let companions: [Companion] = [.user(.user(2)), .named("Mina")]
        for source in [Visit.Source.hand, .sampleArrival] {
            let visit = Visit.sample(source: source, companions: companions, audience: audience)
            let isVisible = visit.isVisible(
                to: .user(viewer.user),
                isFriend: viewer.isFriend,
                isBlocked: viewer.isBlocked
            )
            #expect(isVisible == viewer.sees.contains(audience))
        }
    }
}
