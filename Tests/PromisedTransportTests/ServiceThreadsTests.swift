import Foundation
import PromisedConcurrency
import PromisedTestSupport
import PromisedTransport
import Testing

/// Actors on service threads.
@Suite(.timeLimit(.minutes(5)))
struct ServiceThreadsTests {
    /// The current thread. The optimizer treats `pthread_self()` as a constant, also across suspensions.
    private static func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    /// An actor on an executor.
    private actor Room {
        private let executor: any SerialExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private(set) var visits = 0

        init(on executor: any SerialExecutor) {
            self.executor = executor
        }

        func thread() -> ObjectIdentifier {
            visits += 1
            return ServiceThreadsTests.currentThread()
        }

        /// Several pieces of work for the thread.
        func yieldOften(_ count: Int) async {
            for _ in 0..<count { await Task.yield() }
        }

        /// Pieces of 20 ms, each created during another.
        func toil(_ pieces: Int, done: Guarded<Int>) async {
            for _ in 0..<pieces {
                let end = ContinuousClock.now + .milliseconds(20)
                while ContinuousClock.now < end {}
                done.withLock { $0 += 1 }
                await Task.yield()
            }
        }

        /// Sends from the thread itself, between two sends from other threads.
        func send(_ texts: [String], over server: WebSocketServer, to id: ConnectionID) {
            for text in texts { server.send(Payload(text), to: [id]) }
        }
    }

    @Test(arguments: [1, 2]) func `each thread is the home of its actors`(count: Int) async throws {
        let threads = ServiceThreads(count: count)
        #expect(threads.executors.count == count)
        try await withServer(threads: threads) { _ in
            var found: Set<ObjectIdentifier> = []
            for executor in threads.executors {
                let thread = await Room(on: executor).thread()
                #expect(await Room(on: executor).thread() == thread)
                #expect(thread != Self.currentThread())
                found.insert(thread)
            }
            #expect(found.count == count)
        }
    }

    @Test(arguments: [(0, 1), (1, 1), (64, 64), (65, 64)]) func `accepts 1 to 64 threads`(asked: Int, count: Int) {
        #expect(ServiceThreads(count: asked).count == count)
    }

    @Test func `calls to an actor before the start run at the start`() async throws {
        let threads = ServiceThreads(count: 1)
        let room = Room(on: threads.executors[0])
        let early = Task { await room.thread() }
        try await withServer(threads: threads) { _ in
            let late = await room.thread()
            #expect(await early.value == late)
        }
    }

    @Test func `actors of a stopped server continue, one call at a time`() async throws {
        let threads = ServiceThreads(count: 1)
        let room = Room(on: threads.executors[0])
        try await withServer(threads: threads) { _ in _ = await room.thread() }
        await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { _ = await room.thread() } }
        }
        #expect(await room.visits == 201)
    }

    @Test func `calls to actors of a server that never started do not wait`() async throws {
        try await withServer { running in
            let threads = ServiceThreads(count: 2)
            let second = WebSocketServer(
                configuration: testConfiguration { $0.port = running.address.port },
                logger: quiet,
                threads: threads
            )
            await #expect(throws: TransportError.self) { try await second.start(serving: RecordingHandler()) }
            for executor in threads.executors { _ = await Room(on: executor).thread() }
        }
        let threads = ServiceThreads(count: 1)
        let never = WebSocketServer(
            configuration: testConfiguration(),
            logger: quiet,
            threads: threads
        )
        await never.shutdown()
        _ = await Room(on: threads.executors[0]).thread()
    }

    @Test func `repeated work does not starve the sockets`() async throws {
        let threads = ServiceThreads(count: 1)
        let room = Room(on: threads.executors[0])
        try await withServer(threads: threads) { running in
            let connection = try await running.connect()
            await withTaskGroup { group in
                group.addTask {
                    while !Task.isCancelled { await room.yieldOften(100) }
                }
                connection.send(Array("hello".utf8), isText: true)
                await running.handler.events.wait { $0.messages == [Array("hello".utf8)] }
                group.cancelAll()
            }
        }
    }

    @Test func `serves the sockets after a long piece of work`() async throws {
        let pieces = 12
        let done = Guarded(0)
        let doneAtMessage = Guarded<Int?>(nil)
        let handler = RecordingHandler(onReceive: { _, _ in doneAtMessage.withLock { $0 = done.withLock { $0 } } })
        let threads = ServiceThreads(count: 1)
        let room = Room(on: threads.executors[0])
        try await withServer(handler: handler, threads: threads) { running in
            let connection = try await running.connect()
            async let toil: Void = room.toil(pieces, done: done)
            while done.withLock({ $0 }) == 0 { await Task.yield() }
            connection.send(Array("hello".utf8), isText: true)
            await toil
            await running.handler.events.wait { $0.messages == [Array("hello".utf8)] }
            let found = try #require(doneAtMessage.withLock { $0 })
            #expect(found < pieces, "the message waited for all pieces")
        }
    }

    @Test func `keeps the order of messages sent from the thread and from others`() async throws {
        let threads = ServiceThreads(count: 1)
        let room = Room(on: threads.executors[0])
        try await withServer(threads: threads) { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            for number in 0..<50 {
                running.server.send(Payload("\(number) a"), to: [id])
                await room.send(["\(number) b", "\(number) c"], over: running.server, to: id)
            }
            var texts: [String] = []
            while texts.count < 150, let message = await connection.nextMessage() {
                texts.append(String(decoding: message, as: UTF8.self))
            }
            #expect(texts == (0..<50).flatMap { ["\($0) a", "\($0) b", "\($0) c"] })
        }
    }
}
