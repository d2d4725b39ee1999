import Foundation

/// A device in software that a page can draw and a person can use.
package protocol VirtualDevice: Actor {
    nonisolated var id: UUID { get }
    /// The device as it is now.
    var state: VirtualPhoneState { get }
    /// The device as it is now and after every change; a slow reader misses steps, never the last.
    func states() -> AsyncStream<VirtualPhoneState>
    /// Switches the device on and opens the app for the first time.
    func start() async
    /// Switches the device off.
    func stop() async
    /// Does what the person who holds the device does.
    func perform(_ action: VirtualPhoneAction) async throws
}
