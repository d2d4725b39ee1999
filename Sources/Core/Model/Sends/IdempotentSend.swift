import Foundation

package enum IdempotentSend: Sendable, Hashable {
    case made(Send)
    /// The send of the first request with this key.
    case known(Send)
    /// The key belongs to a different request.
    case otherRequest
}
