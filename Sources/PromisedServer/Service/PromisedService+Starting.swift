internal import Foundation
internal import Logging
internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedSettings
internal import PromisedStore

/// What a start opens and reads, each failure in a sentence.
extension PromisedService {
    static func clock(_ settings: ServerSettings.ClockSettings) -> ScaledClock {
        let real = Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
        return ScaledClock(start: settings.start ?? real, rate: settings.rate)
    }

    static func openStore(
        in directory: String,
        metrics: StoreMetrics
    ) async throws(StartError) -> Store {
        do throws(StoreError) {
            return try await Store.open(directory: directory, onCommit: metrics.note)
        } catch {
            throw StartError("Cannot open the data directory \(directory): \(error)")
        }
    }

    /// Says what became of a database that an earlier version wrote.
    static func report(_ change: SchemaChange, to log: Logger) {
        guard !change.isFirst, !change.migrations.isEmpty else { return }
        log.notice(
            "The database was brought up to date",
            metadata: [
                "migrations": "\(change.migrations.joined(separator: " "))", "backup": "\(change.backupPath ?? "")",
            ]
        )
    }

    /// Who may read the metrics, the token read from its file.
    static func metricsAccess(
        _ configuration: ServerSettings
    ) throws(StartError) -> MetricsRoute.Access {
        let settings = configuration.metrics
        let token = try settings.token.map { path throws(StartError) in try MetricsToken.read(path) }
        return MetricsRoute.Access(isEnabled: settings.isEnabled, token: token, networks: settings.networks)
    }

    static func signingKey(
        _ configuration: ServerSettings,
        _ random: RandomSource
    ) throws(StartError) -> SigningKey {
        var generator = random
        do throws(SigningKeyError) {
            return try SigningKeyFile(dataDirectory: configuration.dataDirectory).loadOrCreate(using: &generator)
        } catch {
            throw StartError("\(error)")
        }
    }

    /// The accounts of an outside issuer, its keys read; nil where accounts are local.
    static func outsideAccounts(
        _ configuration: ServerSettings,
        store: Store,
        subjectKey: SubjectKey,
        random: RandomSource
    ) async throws(StartError) -> OutsideAccounts? {
        guard configuration.auth.accounts == .issuer else { return nil }
        do throws(IssuerKeyError) {
            let issuer = try await OutsideIssuer.load(configuration.auth.issuer, clockRate: configuration.clock.rate)
            return OutsideAccounts(store: store, issuer: issuer, subjectKey: subjectKey, random: random)
        } catch {
            throw StartError("\(error)")
        }
    }
}
