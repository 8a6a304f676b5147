extension Context {
    /// The process's own streams, and servers of the network.
    static let system = Context(console: SystemConsole(), connector: NetworkConnector())
}
