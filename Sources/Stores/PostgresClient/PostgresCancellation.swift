import Foundation
import Synchronization

/// Stops the statement that a connection runs, from any thread.
///
/// It asks the server over a connection of its own, so it waits for the network, and the statement fails with the state
/// `57014`. Its owner calls ``finish()`` when the work is done: what is cancelled later stops nothing, and what is being
/// cancelled at that moment is waited for, so it never meets the next statement.
package final class PostgresCancellation: Sendable {
    private let libpq: LibPQ
    /// The address of libpq's copy of what a cancellation needs; 0 when there is none.
    private let address: Mutex<UInt>

    fileprivate init(_ libpq: LibPQ, address: UInt) {
        self.libpq = libpq
        self.address = Mutex(address)
    }

    deinit {
        finish()
    }

    /// Stops the statement that runs now; whether the server could be asked.
    @discardableResult
    package func cancel() -> Bool {
        address.withLock { address in
            guard let pointer = OpaquePointer(bitPattern: address) else { return false }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { words in
                guard let start = words.baseAddress else { return false }
                return libpq.cancel(pointer, start, Int32(words.count)) == 1
            }
        }
    }

    /// Ends the time in which ``cancel()`` does something.
    package func finish() {
        address.withLock { address in
            if let pointer = OpaquePointer(bitPattern: address) {
                libpq.freeCancellation(pointer)
            }
            address = 0
        }
    }
}

extension PostgresConnection {
    /// What stops a statement from another thread; good for one piece of work, until its `finish`.
    package func makeCancellation() -> PostgresCancellation {
        PostgresCancellation(
            libpq,
            address: UInt(bitPattern: libpq.makeCancellation(raw))
        )
    }
}
