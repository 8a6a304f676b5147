/// What a program does with connections it made, without a task for each.
///
/// Every function is called on the client's service thread and must return at once. For one connection the order is
/// `opened`, any number of `received`, `closed`, each of the outer ones exactly once; nothing comes for an attempt that
/// failed. A message counts as dealt with when `received` returns.
public protocol ClientHandler: Sendable {
    /// The connection is open; `subprotocol` is the one the server chose, nil for none.
    func opened(_ id: ConnectionID, subprotocol: String?)

    /// A whole message came.
    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool)

    /// The connection has ended; `id` addresses nobody any more.
    func closed(_ id: ConnectionID, _ cause: CloseCause)
}
