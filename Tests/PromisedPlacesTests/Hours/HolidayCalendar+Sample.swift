import PromisedDomain
import PromisedPlaces
import PromisedTestSupport

extension HolidayCalendar {
    /// The public holidays of Germany; only 2026 has a list.
    static let german2026: HolidayCalendar = {
        let dates = ["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-01", "2026-10-03", "2026-12-25", "2026-12-26"]
        guard let calendar = HolidayCalendar(dates.map(CivilDate.date)) else {
            preconditionFailure("one of the holidays does not exist")
        }
        return calendar
    }()
}
