import CWebSockets
import Logging

/// What the WebSocket library has to say goes to our log, at debug: peers can provoke most of it.
enum LibraryLog {
    private static let logger = Logger(label: "promised.transport.library")

    private static let isRedirected: Bool = {
        let errors: Int32 = 1
        let warnings: Int32 = 2
        lws_set_log_level(errors | warnings, libraryLogged)
        return true
    }()

    /// Takes the library's messages off standard error; further calls change nothing.
    static func redirect() { _ = isRedirected }

    fileprivate static func log(_ line: String) {
        logger.debug("The WebSocket library reports.", metadata: ["line": .string(line)])
    }
}

private func libraryLogged(_ level: Int32, _ line: UnsafePointer<CChar>?) {
    guard let line else { return }
    var text = String(cString: line)
    while text.last?.isNewline == true { text.removeLast() }
    LibraryLog.log(text)
}
