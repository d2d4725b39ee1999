import Foundation

/// The body of `POST /sdk/v1/users/delete`: the user on an installation asks for the deletion of
/// everything that the server has of them.
public struct SDKDeletion: Sendable, Codable, Equatable {
    /// The id of the installation.
    public var device: UUID
    /// The user.
    public var user: SDKUser
    /// The user's signed token; required for a user with a name.
    public var signature: String?

    /// A request of `user` on the installation `device`.
    public init(device: UUID, user: SDKUser, signature: String? = nil) {
        self.device = device
        self.user = user
        self.signature = signature
    }
}
