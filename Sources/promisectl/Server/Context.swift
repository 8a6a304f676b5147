/// What commands live in.
struct Context: Sendable {
    /// Where they read and write.
    let console: any Console
    /// How they come to a server.
    let connector: any Connector
}
