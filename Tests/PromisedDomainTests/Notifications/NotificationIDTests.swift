import PromisedDomain
import Testing

@Suite struct NotificationIDTests {
    private static let me = UserID(high: 2, low: 2)

    @Test func `a repeat has the same id, in every process`() {
        let id = NotificationID(of: .nudged(Sample.promise), causedBy: Sample.friend, for: Self.me, occasion: 7)
        #expect("\(id)" == "066a7337-587e-8828-9fe8-d00faea679af")
    }

    @Test func `ids are UUIDs of version 8`() {
        for topic in Sample.topics {
            let id = NotificationID(of: topic, causedBy: nil, for: Self.me, occasion: 0)
            #expect(id.high >> 12 & 0xF == 8 && id.low >> 62 == 0b10)
        }
    }

    @Test func `a different kind, subject, user, cause or occasion gives a different id`() {
        var ids: Set<NotificationID> = []
        var count = 0
        for topic in Sample.topics + [.nudged(Sample.otherPromise)] {
            for user in [Self.me, UserID(high: 3, low: 2), UserID(high: 2, low: 3)] {
                for cause in [nil, Sample.friend, Self.me] {
                    for occasion in 0..<20 as Range<UInt64> {
                        ids.insert(NotificationID(of: topic, causedBy: cause, for: user, occasion: occasion))
                        count += 1
                    }
                }
            }
        }
        #expect(ids.count == count)
    }
}
