import PromisedSimulation

/// The phones of a scenario, from which each run has one.
enum ScenarioPhones: Sendable {
    /// Ideal errors.
    case population(PhonePopulation)
    /// Recorded errors, one phone after the other; the surroundings follow from the journey.
    case measured([MeasuredPhone], amid: @Sendable (Journey) -> Scenery)

    /// An iPhone and an Android phone in turn, in the same surroundings all the way.
    static func measured(_ surroundings: Surroundings) -> ScenarioPhones {
        .measured([MeasuredPhone(.iPhone), MeasuredPhone(.android)]) { _ in Scenery(surroundings) }
    }

    /// The reports of run number `index`.
    func samples(of journey: Journey, run index: Int, using generator: inout SeededGenerator) -> [GPSSample] {
        let (plane, start) = (ArrivalScenario.plane, ArrivalScenario.start)
        switch self {
        case .population(let population):
            return population.phone(using: &generator).samples(of: journey, on: plane, from: start, using: &generator)
        case .measured(let phones, let scenery):
            return phones[index % phones.count]
                .samples(of: journey, amid: scenery(journey), on: plane, from: start, using: &generator)
        }
    }
}
