import Crypto
import Foundation

/// Identities of the records of a request that its sender named as a whole.
///
/// Name-based UUIDs (RFC 9562, version 8, SHA-256): the same request sent again has the same
/// records, which are then not stored again. They differ in their last bytes only, so that the
/// database finds and adds them side by side.
package struct RecordKey: Sendable {
    private let prefix: [UInt8]

    /// - Parameter key: The client's key for the request.
    package init(workspace: WorkspaceID, request key: String) {
        var name: [UInt8] = Array("noroshi.request".utf8)
        withUnsafeBytes(of: workspace.rawValue.bigEndian) { name.append(contentsOf: $0) }
        name += key.utf8
        var bytes = Array(SHA256.hash(data: name).prefix(13))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        prefix = bytes
    }

    /// The identity of an element of one of the request's lists.
    ///
    /// - Parameters:
    ///   - list: Number of the list, 0 to 255.
    ///   - index: Index of the element, 0 to 65,535.
    package func id(list: Int, index: Int) -> UUID {
        UUID(
            uuid: (
                prefix[0], prefix[1], prefix[2], prefix[3], prefix[4], prefix[5], prefix[6],
                prefix[7], prefix[8], prefix[9], prefix[10], prefix[11], prefix[12],
                UInt8(truncatingIfNeeded: list), UInt8(truncatingIfNeeded: index >> 8),
                UInt8(truncatingIfNeeded: index)
            )
        )
    }
}
