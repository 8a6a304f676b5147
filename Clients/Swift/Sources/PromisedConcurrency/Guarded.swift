#if THREAD_SANITIZER
public import Glibc
#else
public import Synchronization
#endif

/// A value that only one thread at a time can access: the lock of this code base.
///
/// The lock is held while the closure runs and is not recursive: keep the closure tiny, and make no call-outs from it.
/// Normally it is a `Mutex`. The thread sanitizer does not see `Mutex` and would report false races, so a build for it
/// (`swift test --sanitize=thread -Xswiftc -DTHREAD_SANITIZER`) uses a pthread mutex.
public final class Guarded<Value>: @unchecked Sendable {
    // Safe to share: `value` is read and written only inside `withLock`.
    #if THREAD_SANITIZER
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline var value: Value
    #else
    @usableFromInline let mutex: Mutex<Value>
    #endif

    /// Guards `value`, which is then accessible only through ``withLock(_:)``.
    @inlinable public init(_ value: sending Value) {
        #if THREAD_SANITIZER
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = value
        #else
        mutex = Mutex(value)
        #endif
    }

    #if THREAD_SANITIZER
    @inlinable deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }
    #endif

    /// Runs `body` with exclusive access to the value and returns its result; rethrows its error.
    @inlinable public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if THREAD_SANITIZER
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
        #else
        return try mutex.withLock(body)
        #endif
    }
}
