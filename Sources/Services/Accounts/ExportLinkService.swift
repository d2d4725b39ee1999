import Crypto
import Foundation
import Model
import Ports

/// Issues links from which a file of users can be downloaded for some hours, repeatedly and without
/// a key: anyone with the link can get the file.
package struct ExportLinkService: Sendable {
    /// Lifetime of a link, in seconds.
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

    /// Creates a link; only a hash of its token is stored.
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

    /// The export of a link; `nil` if the link does not exist or has expired.
    package func link(_ token: String) async throws -> ExportLink? {
        try await store.exportLink(tokenHash: Self.hash(token), now: now())
    }

    private static func hash(_ token: String) -> Data {
        Data(SHA256.hash(data: Data(token.utf8)))
    }
}
