internal import PromisedAccess
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces
package import PromisedStore

/// Computes courses on its own thread, on which users take turns: a way of 100,000 points takes 150 ms.
package struct CourseWork: Sendable {
    private let directory: PlaceDirectory
    private let store: (accounts: AccountStore, courses: CourseStore)
    private let queue: WorkQueue

    /// Names points by a directory, in the languages of the users in a store.
    ///
    /// - Parameter thread: runs the work; nil for its own thread.
    package init(directory: PlaceDirectory, store: some HasAccounts & HasCourses, on thread: WorkThread? = nil) {
        self.directory = directory
        self.store = (store.accounts, store.courses)
        queue = WorkQueue(label: "promised.courses", about: "courses", on: thread)
    }

    /// Runs `work` with the names for a user.
    ///
    /// - Throws: `unavailable` if too much work waits; `invalidToken` if the account does not exist.
    func run<Value: Sendable>(
        for userID: UserID,
        _ work: @escaping @Sendable (DirectoryNames) -> Value
    ) async throws -> Value {
        try await run(inTurnOf: userID, in: try await language(of: userID), work)
    }

    /// Runs `work` with the names in a language. Throws `unavailable` if too much work waits.
    ///
    /// - Parameter userID: the user whose turn it uses; nil for the operator.
    func run<Value: Sendable>(
        inTurnOf userID: UserID?,
        in language: BilingualName.Language,
        _ work: @escaping @Sendable (DirectoryNames) -> Value
    ) async throws -> Value {
        // Until the directory is loaded, points have no names; a course without names is better than none.
        let names = DirectoryNames(state: try? directory.standing(), language: language)
        return try await queue.run(inTurnOf: userID) { work(names) }
    }

    /// Runs `work` that needs no names. Throws `unavailable` if too much work waits.
    ///
    /// - Parameter userID: the user whose turn it uses; nil for the operator.
    func run<Value: Sendable>(
        inTurnOf userID: UserID?,
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        try await queue.run(inTurnOf: userID, work)
    }

    /// Computes and stores how the long ways of courses are shown, so that `getTrack` need not. If the storage fails or
    /// the queue is full, the first request computes it.
    func prepare(_ courses: [Course]) async {
        for course in courses {
            let statistics = course.way.statistics
            guard ShownWay.isKept(points: statistics.points + statistics.dropped) else { continue }
            // A recommended course has no owner's view.
            let wanted = course.userID == nil ? 1 : 2
            guard let kept = try? await store.courses.keptWays(of: course.id), kept < wanted,
                let track = try? await store.courses.track(of: course.id),
                let ways = try? await run(inTurnOf: course.userID, { ShownWay.all(of: track) })
            else { continue }
            for way in ways.suffix(wanted) { try? await store.courses.keep(way, of: course.id) }
        }
    }

    /// The secret that shifts the circles around the hidden ends of a user's courses; nil means the operator, whose
    /// courses hide no ends.
    func secret(of userID: UserID?) async throws -> EndsSecret { try await store.courses.endsSecret(of: userID) }

    /// The language in which the server writes to a user. Throws `invalidToken` if the account does not exist.
    func language(of userID: UserID) async throws -> BilingualName.Language {
        guard let account = try await store.accounts.account(userID) else { throw ApplicationError.invalidToken }
        return BilingualName.Language(locale: account.locale)
    }
}
