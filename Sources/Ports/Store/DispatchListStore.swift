import Foundation
import Model

/// The ledger of a send, row by row, for people to look through.
package protocol DispatchListStore: Sendable {
    /// In the order of the devices, those after `cursor` only, `limit` at most.
    func dispatchList(
        of send: SendID,
        matching filter: DispatchFilter,
        after cursor: DeviceID?,
        limit: Int
    ) async throws -> [DispatchListRow]
}

/// Which rows of a ledger are meant.
package enum DispatchFilter: Sendable, Hashable {
    case all
    case state(DispatchState)
    /// Refused or skipped for this reason.
    case reason(String)
    /// Opened directly or influenced.
    case opened
    case received, openedDirectly, influenced, dismissed
}

package struct DispatchListRow: Sendable, Hashable {
    package var device: DeviceID
    package var report: DispatchReport

    package init(device: DeviceID, report: DispatchReport) {
        self.device = device
        self.report = report
    }
}
