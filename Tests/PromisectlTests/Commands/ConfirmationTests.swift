import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("Confirmation of destructive commands", .timeLimit(.minutes(1)))
struct ConfirmationTests {
    private static let id = "01932a4e-0000-7000-8000-00000000000a"
    static let destructive = [
        ["user", "disable", "ada"], ["user", "reset-password", "ada"], ["user", "delete", "ada"],
        ["user", "kick", "ada"],
        ["friend", "remove", "ada", "bob"], ["friend", "block", "ada", "bob"], ["promise", "cancel", Self.id],
        ["promise", "remove", Self.id, "bob"], ["token", "revoke", Self.id],
        ["place", "remove", Self.id], ["place", "source", "remove", "markets"],
        ["course", "remove", Self.id],
    ]

    /// Finds all users, shows a promise, and accepts all other requests.
    private static let answer: StubAdministration.Answer = { request in
        switch request {
        case .findUsers(let request): return .success(.users(.sample([request.name])))
        case .disableUser: return .success(.user(.sample("ada")))
        case .resetPassword: return .success(.password(WireAdminPassword()))
        case .kickUser: return .success(.kicked(WireAdminKicked()))
        case .showPlace: return .success(.place(WireAdminPlace()))
        case .listSources: return .success(.sources(.sample(["markets": 2])))
        case .listRecommendedCourses:
            let course = WireAdminCourse.with { $0.courseID = Self.id }
            return .success(.courses(WireAdminCourses.with { $0.courses = [course] }))
        case .removeSource: return .success(.removedPlaces(WireAdminRemovedPlaces()))
        case .showPromise, .editPromise, .cancelPromise: return .success(.promise(WirePromiseReply()))
        default: return .success(.done(WireAdminDone()))
        }
    }

    /// `true` if a changing request was sent.
    private static func hasChanged(_ administration: StubAdministration) -> Bool {
        administration.requests.contains { request in
            switch request {
            case .findUsers, .showPromise, .showPlace, .listSources, .listRecommendedCourses: false
            default: true
            }
        }
    }

    @Test(arguments: destructive)
    func `is rejected without a terminal`(arguments: [String]) async {
        let administration = StubAdministration(Self.answer)
        let run = await Run(arguments, StubConnector(administration: administration))
        #expect(run.status == .usage)
        #expect(run.errors.contains("use --yes"))
        #expect(!Self.hasChanged(administration))
    }

    @Test(arguments: destructive)
    func `is done with --yes`(arguments: [String]) async {
        let administration = StubAdministration(Self.answer)
        let run = await Run(arguments + ["--yes"], StubConnector(administration: administration))
        #expect(run.status == .done)
        #expect(Self.hasChanged(administration))
    }

    @Test(arguments: destructive)
    func `is done when the answer is yes`(arguments: [String]) async {
        let administration = StubAdministration(Self.answer)
        let console = StubConsole(isTerminal: true, input: ["Y"])
        let run = await Run(arguments, StubConnector(administration: administration), console)
        #expect(run.status == .done)
        #expect(run.errors.hasPrefix("Really "))
        #expect(Self.hasChanged(administration))
    }

    @Test(arguments: ["", "n", "no", "yess"])
    func `is not done for any other answer`(answer: String) async {
        let administration = StubAdministration(Self.answer)
        let console = StubConsole(isTerminal: true, input: [answer])
        let run = await Run(["user", "delete", "ada"], StubConnector(administration: administration), console)
        #expect(run.status == .refused)
        #expect(run.errors.hasSuffix("promisectl: not confirmed: nothing was changed\n"))
        #expect(!Self.hasChanged(administration))
    }
}
