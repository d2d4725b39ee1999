import Foundation
import NoroshiWire

package enum IdentityOutcome: Sendable, Hashable {
    case done
    case refused(String)
}
