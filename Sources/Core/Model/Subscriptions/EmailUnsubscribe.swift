import Foundation

package struct EmailUnsubscribe: Sendable, Hashable {
    package var email: String
    package var time: Date

    package init(email: String, time: Date) {
        self.email = email
        self.time = time
    }
}
