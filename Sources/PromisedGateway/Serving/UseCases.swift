package import PromisedAccess
package import PromisedApplication
internal import PromisedDomain
package import PromisedEngine

/// The use cases that requests call.
package protocol UseCases: Sendable {
    var accounts: Accounts { get }
    var deletions: AccountDeletions { get }
    var signInCodes: SignInCodes { get }
    var codeAttempts: CodeAttempts { get }
    var profiles: Profiles { get }
    var friendships: Friendships { get }
    var cards: UserCardCache { get }

    var promises: Promises { get }
    var invites: Invites { get }
    var viewLinks: ViewLinks { get }
    var onTheWay: OnTheWay { get }
    var results: Results { get }

    var places: Places { get }
    var favourites: Favourites { get }
    var shareTexts: ShareTexts { get }
    var weather: Weather { get }
    var notifications: Notifications { get }

    var files: Files { get }
    var visits: Visits { get }
    var folders: Folders { get }
    var courses: Courses { get }
    var courseKeeping: CourseKeeping { get }
    var courseFiles: CourseFiles { get }
    var recordings: Recordings { get }
    var exports: DataExports { get }

    // MARK: - For administrators

    var adminTokens: AdminTokens { get }
    var userDirectory: UserDirectory { get }
    var promiseAdministration: PromiseAdministration { get }
    var placeAdministration: PlaceAdministration { get }
    var placeImports: PlaceImports { get }
    var recommendedCourses: RecommendedCourses { get }
    var sessions: SessionRegistry { get }
    var totals: ServerTotals { get }
    var backups: Backups { get }
    var audit: Audit { get }
}
