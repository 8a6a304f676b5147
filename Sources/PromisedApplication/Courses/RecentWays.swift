internal import PromisedDomain

/// The last ways that were worked out, so that the pages of one are cleaned once and not for each page.
actor RecentWays {
    /// A way as somebody sees it. Others see the same of a version of a course.
    struct Key: Hashable, Sendable {
        let id: CourseID
        let version: Int
        let isOwn: Bool
        let maxPoints: Int?
    }

    /// How many are kept; one of 100,000 points takes 8 MB.
    private static let limit = 2

    private var ways: [(key: Key, way: Track)] = []

    subscript(key: Key) -> Track? { ways.first { $0.key == key }?.way }

    func keep(_ way: Track, for key: Key) {
        ways.removeAll { $0.key == key }
        if ways.count == RecentWays.limit { ways.removeFirst() }
        ways.append((key, way))
    }
}
