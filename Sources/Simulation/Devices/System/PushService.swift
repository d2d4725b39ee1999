import Foundation

/// The source of a phone's device token and pushes: Apple's side, implemented by a simulator.
package protocol PushService: Sendable {
    /// A device token for the app `topic` on the device `device`; the same pair always gets the
    /// same token.
    func register(topic: String, device: UUID) async throws -> Data

    /// The pushes for `token` from now on, preceded by those stored while there was no listener.
    /// The stream ends when the token becomes invalid.
    func pushes(for token: Data) async -> AsyncStream<PhonePush>
}

/// A push as a phone receives it.
package struct PhonePush: Sendable, Equatable {
    /// The payload, JSON.
    package var payload: Data
    /// The id of the push, the `apns-id` of the request.
    package var id: UUID
    /// The `apns-collapse-id`: a push replaces an earlier one with the same id.
    package var collapseID: String?

    package init(payload: Data, id: UUID, collapseID: String? = nil) {
        self.payload = payload
        self.id = id
        self.collapseID = collapseID
    }
}
