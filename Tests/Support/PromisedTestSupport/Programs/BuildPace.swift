/// The speed of the current build.
package enum BuildPace {
    /// `false` in a build with the thread sanitizer, which is more than ten times slower than others. There, tests fail
    /// that depend on a clock that runs hundreds of times faster, or on the progress of low-priority threads.
    package static var isOrdinary: Bool {
        #if THREAD_SANITIZER
        false
        #else
        true
        #endif
    }
}
