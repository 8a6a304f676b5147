import Logging
import PromisedClient
import PromisedURLSession

/// Runs the client of an app on a phone, whose connections `URLSession` makes. The lines are those of the client's README.
///
/// Compiled only: Linux's `URLSession` has no WebSocket, so no test links this.
public func runPhone(_ settings: ClientSettings, log: Logger) async {
    let client = PromisedClient(settings: settings, transport: URLSessionTransport(), log: log)
    await client.run()
}
