import Glibc

/// The few calls of libev that a service thread needs, found at run time: without libev the program still starts and
/// uses the library's own poll loop.
///
/// The library could create the loop itself, but would then take over SIGINT, which libev allows in one loop only.
struct EventLibrary: Sendable {
    private typealias Make = @convention(c) (UInt32) -> OpaquePointer?
    private typealias Run = @convention(c) (OpaquePointer?, Int32) -> Int32
    private typealias Break = @convention(c) (OpaquePointer?, Int32) -> Void
    private typealias Destroy = @convention(c) (OpaquePointer?) -> Void
    private typealias Gather = @convention(c) (OpaquePointer?, Double) -> Void

    private let make: Make
    private let runLoop: Run
    private let breakLoop: Break
    private let destroyLoop: Destroy
    private let setGathering: Gather?

    /// The installed libev 4; nil if it is missing.
    static let installed: EventLibrary? = EventLibrary()

    private init?() {
        // Never closed: the plug-in uses the same library as long as the process runs.
        guard let library = dlopen("libev.so.4", RTLD_NOW | RTLD_LOCAL),
            let make = dlsym(library, "ev_loop_new"), let run = dlsym(library, "ev_run"),
            let breakLoop = dlsym(library, "ev_break"), let destroy = dlsym(library, "ev_loop_destroy")
        else { return nil }
        self.make = unsafeBitCast(make, to: Make.self)
        runLoop = unsafeBitCast(run, to: Run.self)
        self.breakLoop = unsafeBitCast(breakLoop, to: Break.self)
        destroyLoop = unsafeBitCast(destroy, to: Destroy.self)
        // Missing in some builds of libev: then events are not gathered.
        setGathering = dlsym(library, "ev_set_io_collect_interval").map { unsafeBitCast($0, to: Gather.self) }
    }

    /// A loop on epoll, regardless of environment variables.
    func makeLoop() -> OpaquePointer? {
        let epoll: UInt32 = 4
        let ignoreEnvironment: UInt32 = 0x0100_0000
        return make(epoll | ignoreEnvironment)
    }

    /// Serves the loop until ``stop(_:)``.
    func run(_ loop: OpaquePointer) { _ = runLoop(loop, 0) }

    /// Makes ``run(_:)`` return; call this only from within one of the loop's callbacks.
    func stop(_ loop: OpaquePointer) {
        let all: Int32 = 2
        breakLoop(loop, all)
    }

    /// Makes the loop sleep until `span` after its last poll of the sockets; with zero it polls at once.
    func gather(_ span: Duration, on loop: OpaquePointer) { setGathering?(loop, span / .seconds(1)) }

    /// Frees a loop that is not running.
    func destroy(_ loop: OpaquePointer) { destroyLoop(loop) }
}
