import PromisedConcurrency

@testable import promisectl

/// A console that stores its output and reads the test's input.
final class StubConsole: Console {
    private struct State {
        var input: [String]
        var output = ""
        var errors = ""
    }

    let isOutputTerminal: Bool
    let isInputTerminal: Bool
    let size: TerminalSize?
    private let variables: [String: String]
    private let state: Guarded<State>
    private let signals: AsyncStream<promisectl.ExitStatus>
    private let signal: AsyncStream<promisectl.ExitStatus>.Continuation

    init(
        isTerminal: Bool = false,
        size: TerminalSize? = nil,
        variables: [String: String] = [:],
        input: [String] = []
    ) {
        isOutputTerminal = isTerminal
        isInputTerminal = isTerminal
        self.size = size
        self.variables = variables
        state = Guarded(State(input: input))
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    var output: String { state.withLock { $0.output } }
    var errors: String { state.withLock { $0.errors } }

    func variable(_ name: String) -> String? { variables[name] }
    func write(_ text: String) { state.withLock { $0.output += text } }
    func warn(_ line: String) { state.withLock { $0.errors += line + "\n" } }
    func readLine() -> String? { state.withLock { $0.input.isEmpty ? nil : $0.input.removeFirst() } }
    func interruptions() async -> AsyncStream<promisectl.ExitStatus> { signals }
    func resizes() async -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    /// Simulates a signal.
    func interrupt(_ status: promisectl.ExitStatus) { signal.yield(status) }
}
