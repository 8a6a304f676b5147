/// All use cases, assembled once over their ports, by subject, with their background work.
///
/// ```
/// server · offline commands · simulated world · tests
///        └── ApplicationPorts ──▶ Application ──▶ core · meetups · accounts · people · places · journal · administration
///                                     └─────────▶ jobs
/// ```
/// A use case is created in the group of its subject and nowhere else. An application does nothing by itself: ``jobs``
/// are run by its owner.
package struct Application: Sendable {
    package let core: ApplicationCore
    package let meetups: MeetupUseCases
    package let accounts: AccountUseCases
    package let people: PeopleUseCases
    package let places: PlaceUseCases
    package let journal: JournalUseCases
    package let administration: AdministrationUseCases
    let ports: ApplicationPorts

    /// Assembles the use cases. Reads and writes nothing.
    package init(_ ports: ApplicationPorts) async {
        self.ports = ports
        core = ApplicationCore(ports)
        meetups = MeetupUseCases(ports, core)
        accounts = await AccountUseCases(ports, core, promises: meetups.promises)
        people = PeopleUseCases(ports, core)
        places = PlaceUseCases(ports, core)
        journal = JournalUseCases(ports, core, directory: places.directory)
        administration = AdministrationUseCases(ports, core, places: places.administration)
    }
}
