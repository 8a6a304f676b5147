internal import PromisedAccess
package import PromisedSettings

/// What a starting server reads beside the configuration itself.
package enum ConfigurationCheck {
    /// The files with secrets that a configuration names and that everybody on this machine can read or write.
    package static func exposedFiles(of configuration: ServerSettings) -> [ExposedFile] {
        ExposedFile.all(of: configuration)
    }

    /// Reads the key files that a configuration names, and changes nothing.
    ///
    /// - Throws: ``StartError`` for the first that can't be used.
    package static func readFiles(of configuration: ServerSettings) async throws(StartError) {
        guard configuration.auth.accounts == .issuer else { return }
        do throws(IssuerKeyError) {
            _ = try await OutsideIssuer.load(configuration.auth.issuer, clockRate: configuration.clock.rate)
        } catch {
            throw StartError("\(error)")
        }
    }
}
