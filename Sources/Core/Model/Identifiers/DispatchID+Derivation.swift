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
        self.init(UUID(named: name))
    }
}
