import Foundation
import Model
import Testing

@Suite("Dispatch ids")
struct DispatchIDTests {
    @Test("the same send and device give the same id, any other another one")
    func derivation() {
        let id = DispatchID(workspace: WorkspaceID(1), send: SendID(7), device: DeviceID(9))
        #expect(id == DispatchID(workspace: WorkspaceID(1), send: SendID(7), device: DeviceID(9)))
        let others = [
            DispatchID(workspace: WorkspaceID(2), send: SendID(7), device: DeviceID(9)),
            DispatchID(workspace: WorkspaceID(1), send: SendID(8), device: DeviceID(9)),
            DispatchID(workspace: WorkspaceID(1), send: SendID(7), device: DeviceID(8)),
            DispatchID(workspace: WorkspaceID(1), send: SendID(9), device: DeviceID(7)),
        ]
        #expect(Set(others + [id]).count == 5)
    }

    @Test("an id is a UUID of version 8 in lower case, as an apns-id must be")
    func form() {
        let text = "\(DispatchID(workspace: WorkspaceID(1), send: SendID(7), device: DeviceID(9)))"
        #expect(text == text.lowercased())
        #expect(text.dropFirst(14).first == "8")
    }
}
