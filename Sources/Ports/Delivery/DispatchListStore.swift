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
