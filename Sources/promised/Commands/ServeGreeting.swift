import PromisedServer
internal import PromisedSettings

/// What a new operator wants to know once the server listens: where the page is, and how to make the first account.
struct ServeGreeting {
    /// What it listens on, `HOST:PORT`.
    let address: String
    let configuration: ServerSettings

    /// Lines for standard error, where that is a terminal.
    var lines: [String] {
        let isLocal = configuration.auth.accounts == .local
        var lines: [String] = []
        if configuration.web.isEnabled {
            lines.append("The page: \(scheme("http"))://\(reachable)/" + (isLocal ? " (sign up there)" : ""))
        }
        if isLocal {
            lines += [
                "The first account, from another terminal:",
                "  promisectl user create --nickname NAME --email ADDRESS --password-stdin \\",
                "    --url \(scheme("ws"))://\(reachable)/ws --token-file \(shellWord("\(configuration.dataDirectory)/admin.token"))",
            ]
        }
        return lines + ["Ctrl-C stops the server."]
    }

    private func scheme(_ name: String) -> String { configuration.tls.certificate == nil ? name : name + "s" }

    /// A word as a shell takes it: between quotation marks where a character means something to the shell.
    private func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            let scalar = Character(Unicode.Scalar(byte))
            return byte >= 0x80 || scalar.isLetter || scalar.isNumber || "/._-+,:@%=".contains(scalar)
        }
        return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// The address as a program on this machine reaches it: all addresses of a machine are none to connect to.
    private var reachable: String {
        for (any, own) in [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")] where address.hasPrefix(any) {
            return own + address.dropFirst(any.count)
        }
        return address
    }
}
