import Foundation

/// A virtual device that a page can draw and a person can use.
package protocol VirtualDevice: Actor {
    nonisolated var id: UUID { get }
    /// The current state of the device.
    var state: VirtualPhoneState { get }
    /// The current state and every later one; a slow reader misses intermediate states, but never
    /// the last.
    func states() -> AsyncStream<VirtualPhoneState>
    /// Switches the device on and opens the app for the first time.
    func start() async
    /// Switches the device off.
    func stop() async
    /// Performs an action of the device's user.
    func perform(_ action: VirtualPhoneAction) async throws
}
