import Testing

/// Meaningful only in a release build (HowFramesLeave.md).
@Suite("The way back to an actor")
struct ActorReturnTests {
    @Test func `a caller returns to its actor from a helper that ends in another one`() async throws {
        let caller = Caller()
        try await caller.callAll()
        #expect(await caller.returns == 5)
    }
}

private actor Other {
    private(set) var calls = 0

    func call() { calls += 1 }

    func fail() throws {
        calls += 1
        throw CancellationError()
    }
}

/// Functions that run on the caller's actor and end on another.
private struct Helper: Sendable {
    let other = Other()

    @inline(never)
    func ends() async { await other.call() }

    @inline(never)
    func endsByThrowing() async throws { try await other.fail() }

    @inline(never)
    func endsByCatching() async {
        do { try await other.fail() } catch { return }
    }

    @inline(never)
    func ends(with body: () async -> Void) async {
        await other.call()
        await body()
    }
}

private actor Caller {
    private let helper = Helper()
    private(set) var returns = 0

    func callAll() async throws {
        await helper.ends()
        noteReturn()
        await helper.endsByCatching()
        noteReturn()
        await #expect(throws: CancellationError.self) { try await helper.endsByThrowing() }
        noteReturn()
        await helper.ends { noteReturn() }
        noteReturn()
    }

    /// Stops the process where it is called beside the actor.
    @inline(never)
    private func noteReturn() {
        preconditionIsolated()
        returns += 1
    }
}
