/// Where log lines go.
package protocol LogSink: Sendable {
    /// Takes a line, its line feed included. May be called from several threads at once; never fails.
    func write(_ line: String)
}
