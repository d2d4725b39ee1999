import Foundation
import Model

/// The dispatches of a send, for browsing.
package protocol DispatchListStore: Sendable {
    /// In ascending order of the devices, those after `cursor` only, `limit` at most.
    func dispatchList(
        of send: SendID,
        matching filter: DispatchFilter,
        after cursor: DeviceID?,
        limit: Int
    ) async throws -> [DispatchListRow]
}
