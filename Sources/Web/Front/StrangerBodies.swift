import Hummingbird
import NIOCore

/// Reads bodies of those who have not said in the head who they are: small ones, of a budget of
/// their own, so that strangers cannot take the place of others.
package final class StrangerBodies: Sendable {
    /// What a body may have that holds its key: the largest request of a hundred events.
    package static let keyed = 256 << 10
    /// What a short form may have, such as that of the login.
    package static let form = 16 << 10

    private let budget: BodyBudget

    package init(budget: Int = 8 << 20) {
        self.budget = BodyBudget(limit: budget)
    }

    /// - Throws: `NIOTooManyBytesError` when there is more than `limit`, ``FrontRefusal`` when too
    ///   many are being read.
    package func collect(_ request: Request, upTo limit: Int) async throws -> ByteBuffer {
        let lease = BodyLease(budget)
        defer { lease.end() }
        return try await request.wholeBody(upTo: limit) { bytes in
            guard lease.take(bytes) else { throw FrontRefusal.noRoomForStrangers }
        }
    }
}
