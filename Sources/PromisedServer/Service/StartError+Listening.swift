internal import Glibc
internal import PromisedSettings
internal import PromisedTransport

extension StartError {
    /// The socket could not be made; the address is named once.
    init(_ error: TransportError, listeningOn listen: ServerSettings.Listen) {
        guard case .bindFailed(let address, let errno, let text) = error else {
            self.init("Cannot listen on \(listen.host):\(listen.port): \(error)")
            return
        }
        let advice =
            switch errno {
            case EADDRINUSE: "another program has this port; stop it, or choose another port with --listen"
            case EACCES: "ports below 1024 are for root; choose another with --listen"
            default: "see the setting listen.host"
            }
        self.init("Cannot listen on \(address): \(text) (errno \(errno)); \(advice).")
    }
}
