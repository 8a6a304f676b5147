/// How a log record is written.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// A line for people: time, level, logger, message, then the metadata as `key=value`.
    case text
    /// A line for machines: one JSON object.
    case json
}
