import Foundation

/// A trigger that waits for its time.
package struct PendingTrigger: Sendable, Hashable {
    package var id: Int64
    package var trigger: NewTrigger

    package init(id: Int64, trigger: NewTrigger) {
        self.id = id
        self.trigger = trigger
    }
}
