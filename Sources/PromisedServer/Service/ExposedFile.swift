internal import Foundation
internal import PromisedSettings

/// A file with a secret that others than its owner and its group can read or write: it is used, and warned of.
package struct ExposedFile: Sendable, Hashable, CustomStringConvertible {
    /// The key of the setting that names it.
    package let key: String
    /// Where it is.
    package let path: String

    /// A sentence for operators.
    package var description: String {
        "\(path) (\(key)) can be read or written by everybody on this machine; take that from them with chmod o-rwx"
    }

    /// The files with secrets that a configuration names and that everybody can read or write. Blocks for the time of a
    /// look at each; files that can't be looked at are left out.
    static func all(of configuration: ServerSettings) -> [ExposedFile] {
        let secrets = [
            ("tls.key", configuration.tls.key), ("metrics.token", configuration.metrics.token),
            ("auth.issuer.hs256", configuration.auth.issuer.hs256),
        ]
        return secrets.compactMap { key, path in
            guard let path, isExposed(path) else { return nil }
            return ExposedFile(key: key, path: path)
        }
    }

    private static func isExposed(_ path: String) -> Bool {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // What can't be looked at can't be read either: the start says so.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else { return false }
        return ((attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0) & 0o007 != 0
    }
}
