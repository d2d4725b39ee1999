import Crypto
import Foundation
import Model

/// The keys with which calls of webhook steps are signed, one for each workspace. They follow from
/// the server's own key, so that none is stored.
package struct WebhookKey: Sendable {
    private let root: SymmetricKey

    package init(root: SymmetricKey) { self.root = root }

    /// What a receiver checks signatures with, in lowercase hexadecimal digits.
    package func text(of workspace: WorkspaceID) -> String {
        key(of: workspace).withUnsafeBytes { bytes in Self.hex(bytes) }
    }

    func signature(of body: String, in workspace: WorkspaceID, at now: Date) -> String {
        let seconds = Int(now.timeIntervalSince1970)
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(seconds).\(body)".utf8),
            // As text, so that a receiver uses the key as it was shown.
            using: SymmetricKey(data: Data(text(of: workspace).utf8))
        )
        return "t=\(seconds),v1=\(Self.hex(code))"
    }

    private func key(of workspace: WorkspaceID) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: root,
            info: Data("noroshi.webhook.\(workspace)".utf8),
            outputByteCount: 32
        )
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            let digits = String(byte, radix: 16)
            text += digits.count == 1 ? "0" + digits : digits
        }
    }
}
