import Foundation

/// A value that only one thread accesses at a time.
///
/// `Mutex` of the Synchronization module would require iOS 18.
package final class Locked<Value>: @unchecked Sendable {
    // `@unchecked` holds because `value` is accessed only between `lock` and `unlock`.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
