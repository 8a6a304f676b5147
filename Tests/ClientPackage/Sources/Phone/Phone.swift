import Logging
import PromisedClient
import PromisedURLSession

/// The client of an app on a phone, whose connections `URLSession` makes.
///
/// Compiled only: Linux's `URLSession` has no WebSocket, so no test links this.
public func makePhoneClient(_ settings: ClientSettings, log: Logger) -> PromisedClient {
    PromisedClient(settings: settings, transport: URLSessionTransport(), log: log)
}
