import Crypto
import Foundation
import Model
import Ports

/// Gives out addresses from which a file of users can be fetched for some hours, as often as it
/// takes, without a key: whoever has the address has the file.
package struct ExportLinkService: Sendable {
    /// How long an address is good for, in seconds.
    package static let life: TimeInterval = 4 * 3600

    private let store: any ExportLinkStore
    private let now: @Sendable () -> Date
    private let makeToken: @Sendable () -> String

    package init(
        store: any ExportLinkStore,
        now: @escaping @Sendable () -> Date,
        makeToken: @escaping @Sendable () -> String
    ) {
        self.store = store
        self.now = now
        self.makeToken = makeToken
    }

    /// Makes an address; its secret part is kept as a hash only.
    package func make(
        of query: SegmentQuery?,
        fields: Set<String>,
        format: ExportLink.Format,
        in workspace: WorkspaceID
    ) async throws -> (token: String, link: ExportLink) {
        let now = now()
        let token = makeToken()
        let link = ExportLink(
            workspace: workspace,
            query: query,
            fields: fields,
            format: format,
            prefix: "\(UUID().uuidString.lowercased())-\(Int(now.timeIntervalSince1970))",
            expiresAt: now.addingTimeInterval(Self.life)
        )
        try await store.saveExportLink(link, tokenHash: Self.hash(token), now: now)
        return (token, link)
    }

    /// The file behind an address; `nil` when there is none, or none any more.
    package func link(_ token: String) async throws -> ExportLink? {
        try await store.exportLink(tokenHash: Self.hash(token), now: now())
    }

    private static func hash(_ token: String) -> Data {
        Data(SHA256.hash(data: Data(token.utf8)))
    }
}
