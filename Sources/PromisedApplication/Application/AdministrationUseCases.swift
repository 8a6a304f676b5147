internal import PromisedEngine
internal import PromisedSettings

/// The server's own administration: tokens, the audit, totals, backups, and the deletion of expired data.
package struct AdministrationUseCases: Sendable {
    package let tokens: AdminTokens
    package let audit: Audit
    package let totals: ServerTotals
    package let backups: Backups
    package let cleaning: Cleaning

    init(_ ports: ApplicationPorts, _ core: ApplicationCore, places: PlaceAdministration) {
        tokens = AdminTokens(ports.store, random: ports.random)
        audit = Audit(ports.store)
        totals = ServerTotals(store: ports.store, files: core.files, registry: core.engine.registry)
        backups = Backups(
            store: ports.store,
            archive: core.archive,
            storage: ports.storage,
            directory: ports.settings.backup.directory,
            categories: ports.categories,
            log: ports.log
        )
        cleaning = Cleaning(
            store: ports.store,
            places: places,
            files: core.files,
            clock: ports.clock,
            pauses: ports.execution.pauses,
            retention: ports.settings.positionRetention,
            log: ports.log
        )
    }
}
