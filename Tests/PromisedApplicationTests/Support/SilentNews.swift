import PromisedDomain
import PromisedEngine

@testable import PromisedApplication

/// Sends no news.
struct SilentNews: News {
    func tell(_ item: NewsItem, to audience: NewsAudience) {}
}

/// For test doubles that end no sign-ins.
extension News {
    var endedSignIns: UInt64 { 0 }

    @discardableResult
    func end(
        _ userID: UserID,
        because reason: SignInEnd,
        except kept: SubscriberID?,
        where isEnded: (SignInID) -> Bool
    ) -> Int { 0 }
}
