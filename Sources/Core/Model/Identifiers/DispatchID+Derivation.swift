import Crypto
import Foundation

extension DispatchID {
    /// The id of the message of `send` to `device`, within `workspace`.
    ///
    /// A name-based UUID (RFC 9562, version 8, SHA-256): the ledger, a restarted worker and the
    /// device's report all arrive at the same number without asking one another.
    package init(workspace: WorkspaceID, send: SendID, device: DeviceID) {
        var name: [UInt8] = Array("noroshi.dispatch".utf8)
        for number in [workspace.rawValue, send.rawValue, device.rawValue] {
            withUnsafeBytes(of: number.bigEndian) { name.append(contentsOf: $0) }
        }
        var bytes = Array(SHA256.hash(data: name).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(
            UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                    bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14],
                    bytes[15]
                )
            )
        )
    }
}
