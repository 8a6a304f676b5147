import Foundation
import Logging
import PromisedConcurrency
import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct LineLogHandlerTests {
    private struct Memory: LogSink {
        let lines = Guarded<[String]>([])
        func write(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private struct Broken: Error {}

    private func logger(
        _ sink: Memory,
        level: Logger.Level = .info,
        provider: Logger.MetadataProvider? = nil
    ) -> Logger {
        let handler = LineLogHandler(
            label: "l",
            level: level,
            format: .text,
            sink: sink,
            metadataProvider: provider,
            now: { Instant(milliseconds: 0) }
        )
        return Logger(label: "l", factory: { _ in handler })
    }

    @Test func `writes no records below the level`() {
        let sink = Memory()
        var logger = logger(sink, level: .notice)
        logger.info("quiet")
        logger.notice("loud")
        logger.logLevel = .trace
        logger.trace("whisper")
        #expect(
            sink.all == [
                "1970-01-01T00:00:00.000Z NOTICE   l: loud\n", "1970-01-01T00:00:00.000Z TRACE    l: whisper\n",
            ]
        )
    }

    @Test func `the record's metadata precedes the provider's and the logger's`() {
        let sink = Memory()
        var logger = logger(sink, provider: .init { ["b": "provider", "c": "provider"] })
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "b"] = "logger"
        logger.info("m", metadata: ["c": "record"])
        #expect(sink.all == ["1970-01-01T00:00:00.000Z INFO     l: m a=logger b=provider c=record\n"])
    }

    @Test func `separates the metadata of loggers`() {
        let sink = Memory()
        let first = logger(sink)
        var second = first
        second[metadataKey: "connection"] = "7"
        first.info("m")
        second.info("m")
        #expect(sink.all.map { $0.hasSuffix("m\n") } == [true, false])
        #expect(second[metadataKey: "connection"] == "7")
    }

    @Test func `writes an error's description`() {
        let sink = Memory()
        logger(sink).error("failed", error: Broken())
        #expect(sink.all == ["1970-01-01T00:00:00.000Z ERROR    l: failed error=Broken()\n"])
    }

    @Test func `writes complete lines from many threads`() throws {
        let file = try TemporaryFile("", name: "log")
        let handle = try #require(FileHandle(forUpdatingAtPath: file.path))
        let sink = StandardErrorSink(descriptor: handle.fileDescriptor)
        let text = String(repeating: "x", count: 5_000)
        DispatchQueue.concurrentPerform(iterations: 200) { sink.write("\($0 % 10)\(text)\n") }
        let lines = try String(contentsOfFile: file.path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 200)
        #expect(lines.allSatisfy { $0.count == 5_001 })
    }

    @Test func `does not wait for an unwritable sink`() {
        StandardErrorSink(descriptor: -1).write("lost\n")
    }
}
