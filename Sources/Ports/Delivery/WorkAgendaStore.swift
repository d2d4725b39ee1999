import Foundation

/// What will be due, for whoever lets time pass instead of waiting for it.
package protocol WorkAgendaStore: Sendable {
    /// The first moment after `moment` at which a launch, a send, a push, a person in a journey, a look
    /// at a segment or a call of a webhook is due; `nil` if nothing is planned.
    func nextWorkDue(after moment: Date) async throws -> Date?
}
