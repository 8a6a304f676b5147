import Foundation
import PromisedSimulation
import Testing

@testable import PromisedWorld

@Suite struct StoryTests {
    @Test func `a seed always gives the same story`() {
        for seed in UInt64(1)...50 { #expect(StoryMaker.story(seed: seed) == StoryMaker.story(seed: seed)) }
        #expect(StoryMaker.story(seed: 1) != StoryMaker.story(seed: 2))
    }

    @Test func `reads a written story back unchanged`() throws {
        for seed in UInt64(1)...20 {
            let story = StoryMaker.story(seed: seed)
            let text = try JSONEncoder().encode(story)
            #expect(try JSONDecoder().decode(Story.self, from: text) == story)
        }
    }

    @Test func `stories contain every kind of act`() {
        let kinds = Set((UInt64(1)...400).flatMap { StoryMaker.story(seed: $0).acts.map(\.deed.kind) })
        #expect(kinds.count == 60, "\(kinds.sorted())")
    }

    @Test func `half of the phones have measured errors, of either system, the app's too`() {
        let stories = (UInt64(1)...400).map { StoryMaker.story(seed: $0) }
        let phones = stories.flatMap(\.phones).map(\.errsLike)
        #expect((0.45...0.55).contains(Double(phones.count { $0 != nil }) / Double(phones.count)))
        #expect(Set(phones) == [nil, .iPhone, .android])
        #expect(Set(stories.filter { $0.app != nil }.map(\.appErrsLike)) == [nil, .iPhone, .android])
        #expect(stories.allSatisfy { $0.app != nil || $0.appErrsLike == nil })
        let told = Set((UInt8(0)...255).flatMap { Story(bytes: [0, 1, 2, 0, $0]).phones.map(\.errsLike) })
        #expect(told == [nil, .iPhone, .android])
    }

    @Test func `acts are in order and refer to existing users and phones`() {
        for seed in UInt64(1)...200 {
            let story = StoryMaker.story(seed: seed)
            #expect(story.acts.map(\.atMs) == story.acts.map(\.atMs).sorted())
            #expect(Set(story.phones.map(\.person)) == Set(0..<story.people))
        }
    }

    @Test func `shrinking keeps only the relevant acts`() {
        let story = StoryMaker.story(seed: 7)
        let matter = [story.acts[2], story.acts[story.acts.count - 3]]
        let shortest = Shrinker.shrink(story) { candidate in matter.allSatisfy(candidate.acts.contains) }
        #expect(shortest.acts == matter)
        #expect(shortest.seed == story.seed)
    }

    @Test func `shrinking first removes the acts after the violation`() {
        let story = StoryMaker.story(seed: 7)
        let (first, brokeAtMs) = (story.acts[0], story.acts[4].atMs)
        var lived: [Story] = []
        let shortest = Shrinker.shrink(story, brokeAtMs: brokeAtMs) { candidate in
            lived.append(candidate)
            return candidate.acts.contains(first)
        }
        #expect(lived[0].acts == story.acts.filter { $0.atMs <= brokeAtMs })
        #expect(shortest.acts == [first])
    }

    @Test func `shrinking stops after the given number of stories`() {
        var lived = 0
        _ = Shrinker.shrink(StoryMaker.story(seed: 7), limit: 9) { _ in
            lived += 1
            return false
        }
        #expect(lived == 9)
    }
}

extension Deed {
    /// The name of its case, or of its errand's or the app's deed's.
    fileprivate var kind: String {
        if case .errand(let errand) = self { return "errand \(Self.label(errand))" }
        if case .app(let deed) = self { return "app \(Self.label(deed))" }
        return Self.label(self)
    }

    private static func label(_ value: some Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }
}
