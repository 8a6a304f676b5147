import PromisedDomain
import Testing

@testable import PromisedSettings

@Suite struct TimeSpanWordsTests {
    @Test(arguments: [
        (TimeSpan.minutes(30), "30 minutes"), (.days(366), "366 days"), (.days(1), "1 day"),
        (.seconds(90), "90 seconds"), (.hours(36), "36 hours"), (.milliseconds(1_500), "1500 milliseconds"),
        (.zero, "0 milliseconds"),
    ])
    func `gives a span in its largest whole unit`(span: TimeSpan, words: String) {
        #expect(span.inWords == words)
    }
}
