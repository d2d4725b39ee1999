import Foundation

/// A trigger that is not due yet.
package struct PendingTrigger: Sendable, Hashable {
    package var id: Int64
    package var trigger: NewTrigger

    package init(id: Int64, trigger: NewTrigger) {
        self.id = id
        self.trigger = trigger
    }
}
