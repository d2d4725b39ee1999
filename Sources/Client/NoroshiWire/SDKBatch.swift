import Foundation

/// The body of `POST /sdk/v1/batch`: the records of one installation, oldest first.
///
/// A batch may be sent again unchanged: the server stores the ids of its records and acknowledges a
/// repeated record without storing it twice.
public struct SDKBatch: Sendable, Codable, Equatable {
    /// The header that carries the user's signed token with requests that have no body.
    package static let signatureHeader = "X-Noroshi-User-Token"

    /// Maximum number of records in a batch.
    package static let recordLimit = 500

    /// The installation that sends the batch.
    public var device: SDKDevice
    /// The records, oldest first.
    public var records: [SDKRecord]
    /// The signed token (JWT) of the current user, if the app uses SDK authentication.
    public var signature: String?

    /// A batch of `records` from `device`.
    public init(device: SDKDevice, records: [SDKRecord], signature: String? = nil) {
        self.device = device
        self.records = records
        self.signature = signature
    }
}

/// The response to a batch.
public struct SDKBatchReceipt: Sendable, Codable, Equatable {
    /// Stored records; the client deletes them.
    public var acknowledged: [UUID]
    /// Permanently rejected records, with the reason; the client deletes them too.
    public var rejected: [SDKRejection]

    /// A receipt for `acknowledged` and `rejected` records.
    public init(acknowledged: [UUID], rejected: [SDKRejection] = []) {
        self.acknowledged = acknowledged
        self.rejected = rejected
    }
}

/// The permanent rejection of a record.
public struct SDKRejection: Sendable, Codable, Equatable {
    /// The record.
    public var id: UUID
    /// The invalid field, as a path from the record.
    public var field: String
    /// The problem and its remedy.
    public var message: String

    /// A rejection of the record `id` because of `field`.
    public init(id: UUID, field: String, message: String) {
        self.id = id
        self.field = field
        self.message = message
    }
}
