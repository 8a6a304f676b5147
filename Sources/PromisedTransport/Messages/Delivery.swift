/// How a payload behaves while it waits for a slow reader.
public enum Delivery: Sendable, Hashable {
    /// Never dropped, never overtaken.
    case event

    /// Replaces what waits in the same `slot` and whose `lanes` are all among these: the latest state wins.
    ///
    /// A slot is whatever the sender numbers (one live session, say), lanes are a bit each for what the payload speaks
    /// of (one participant each). A waiting payload with a lane that the new one lacks stays, so nothing is lost that
    /// the new one does not replace.
    case superseding(slot: UInt64, lanes: UInt64)
}
