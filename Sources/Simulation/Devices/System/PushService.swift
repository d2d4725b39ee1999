import Foundation

/// Where a phone gets its device token and its pushes: Apple's side, as a simulator plays it.
package protocol PushService: Sendable {
    /// A device token for the app `topic` on the device `device`, the same for the same pair.
    func register(topic: String, device: UUID) async throws -> Data

    /// The pushes for `token` from now on, with those that were kept while nobody listened. The
    /// stream ends when the token is no longer valid.
    func pushes(for token: Data) async -> AsyncStream<PhonePush>
}

/// A push as it reaches a phone.
package struct PhonePush: Sendable, Equatable {
    /// The payload, JSON.
    package var payload: Data
    /// The id of the push, the `apns-id` of the request.
    package var id: UUID
    /// The `apns-collapse-id`: a push with the same one takes the place of an earlier one.
    package var collapseID: String?

    package init(payload: Data, id: UUID, collapseID: String? = nil) {
        self.payload = payload
        self.id = id
        self.collapseID = collapseID
    }
}
