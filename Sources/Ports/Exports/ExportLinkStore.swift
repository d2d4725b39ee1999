import Foundation
import Model

/// Links for downloading exports, by a hash of their secret token.
package protocol ExportLinkStore: Sendable {
    /// Stores a link and deletes expired ones.
    func saveExportLink(_ link: ExportLink, tokenHash: Data, now: Date) async throws
    /// `nil` if the link does not exist or has expired.
    func exportLink(tokenHash: Data, now: Date) async throws -> ExportLink?
}
