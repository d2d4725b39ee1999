import Foundation
import Model

/// The addresses from which exports can be fetched, by a hash of what nobody can guess of them.
package protocol ExportLinkStore: Sendable {
    /// Keeps a link, and forgets those whose time is over.
    func saveExportLink(_ link: ExportLink, tokenHash: Data, now: Date) async throws
    /// `nil` for a link that is not there or whose time is over.
    func exportLink(tokenHash: Data, now: Date) async throws -> ExportLink?
}
