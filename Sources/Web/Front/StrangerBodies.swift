import Hummingbird
import NIOCore

/// Reads bodies of clients that are not authenticated by their headers: small ones, with a separate
/// budget, so that strangers cannot block others.
package final class StrangerBodies: Sendable {
    /// Maximum size of a body that contains its key, in bytes: the largest request with a hundred
    /// events.
    package static let keyed = 256 << 10
    /// Maximum size of a short form, such as that of the login, in bytes.
    package static let form = 16 << 10

    private let budget: BodyBudget

    /// - Parameter budget: The memory for all of them together, in bytes, as it is now.
    package init(budget: @escaping @Sendable () -> Int = { 8 << 20 }) {
        self.budget = BodyBudget(limit: budget)
    }

    /// - Throws: `NIOTooManyBytesError` if the body exceeds `limit`, ``FrontError`` if too many
    ///   are being read.
    package func collect(_ request: Request, upTo limit: Int) async throws -> ByteBuffer {
        let lease = BodyLease(budget)
        defer { lease.end() }
        return try await request.wholeBody(upTo: limit) { bytes in
            guard lease.take(bytes) else { throw FrontError.noRoomForStrangers }
        }
    }
}
