import Crypto
import Foundation

/// Identities of records that their sender did not give one.
package enum RecordKey {
    /// The identity of the element `index` of `list` in the request that a client calls `key`.
    ///
    /// A name-based UUID (RFC 9562, version 8, SHA-256): the same request sent again has the same
    /// records, which are then not stored again.
    package static func id(
        workspace: WorkspaceID,
        request key: String,
        list: String,
        index: Int
    ) -> UUID {
        var name: [UInt8] = Array("noroshi.request".utf8)
        withUnsafeBytes(of: workspace.rawValue.bigEndian) { name.append(contentsOf: $0) }
        withUnsafeBytes(of: Int64(index).bigEndian) { name.append(contentsOf: $0) }
        name += Array("\(list)/\(key)".utf8)
        var bytes = Array(SHA256.hash(data: name).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14],
                bytes[15]
            )
        )
    }
}
