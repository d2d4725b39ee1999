import Crypto
import Foundation
import Model

/// The user and the page of a link.
package struct PreferenceLink: Sendable, Hashable {
    package var workspace: WorkspaceID
    package var center: UUID
    /// The identifier that the server assigned to the user.
    package var user: UUID

    package init(workspace: WorkspaceID, center: UUID, user: UUID) {
        self.workspace = workspace
        self.center = center
        self.user = user
    }
}

/// Signs links, so that only this server can create one.
package struct PreferenceLinks: Sendable {
    private static let contentLength = 40

    private let key: SymmetricKey

    /// - Parameter key: The server's key, from which the key for links is derived.
    package init(key: SymmetricKey) {
        let code = HMAC<SHA256>.authenticationCode(for: Data("preference links".utf8), using: key)
        self.key = SymmetricKey(data: Data(code))
    }

    /// The link as part of a path.
    package func token(of link: PreferenceLink) -> String {
        var content = Data()
        withUnsafeBytes(of: link.workspace.rawValue.bigEndian) { content.append(contentsOf: $0) }
        for id in [link.center, link.user] {
            withUnsafeBytes(of: id.uuid) { content.append(contentsOf: $0) }
        }
        let code = HMAC<SHA256>.authenticationCode(for: content, using: key)
        return (content + Data(code)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// `nil` if this server has not signed it.
    package func link(_ token: String) -> PreferenceLink? {
        var text = token.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let data = Data(base64Encoded: text),
            data.count == Self.contentLength + SHA256.byteCount
        else { return nil }
        let content = data.prefix(Self.contentLength)
        guard
            HMAC<SHA256>.isValidAuthenticationCode(
                data.suffix(SHA256.byteCount),
                authenticating: content,
                using: key
            )
        else { return nil }
        let workspace = content.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return PreferenceLink(
            workspace: WorkspaceID(Int64(bitPattern: workspace)),
            center: Self.uuid(content.dropFirst(8).prefix(16)),
            user: Self.uuid(content.dropFirst(24).prefix(16))
        )
    }

    private static func uuid(_ bytes: Data) -> UUID {
        Array(bytes).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
