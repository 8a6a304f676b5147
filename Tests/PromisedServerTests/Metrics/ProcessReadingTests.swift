import Glibc
import Testing

@testable import PromisedServer

@Suite struct ProcessReadingTests {
    @Test(arguments: ["promised", "a b", "x) R 1 (y"])
    func `finds the fields after any process name`(_ name: String) {
        let middle = (4...13).map { _ in "0" }.joined(separator: " ")
        let line = "17 (\(name)) S \(middle) 250 50 0 0 20 0 9 0 1000 4096000 25 18446744073709551615 1"
        var reading = ProcessReading()
        reading.take(stat: line, bootSeconds: 1_000_000)
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        #expect(reading.cpuSeconds == 300 / ticks)
        #expect(reading.threads == 9)
        #expect(reading.startSeconds == 1_000_000 + 1_000 / ticks)
        #expect(reading.virtualBytes == 4_096_000)
        #expect(reading.residentBytes == 25 * sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test(arguments: ["", "17 promised", "17 (promised) S 1"])
    func `reads missing values as zero`(_ line: String) {
        var reading = ProcessReading()
        reading.take(stat: line, bootSeconds: 0)
        #expect(reading.residentBytes == 0)
        #expect(reading.cpuSeconds == 0)
    }
}
