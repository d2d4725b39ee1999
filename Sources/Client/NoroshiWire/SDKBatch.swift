import Foundation

/// The body of `POST /sdk/v1/batch`: what one installation has to tell, oldest record first.
///
/// A batch may be sent again as it is: the server keeps the ids of the records it has stored and
/// acknowledges a known record without counting it twice.
public struct SDKBatch: Sendable, Codable, Equatable {
    /// The header that carries the user's signed token with requests that have no body.
    package static let signatureHeader = "X-Noroshi-User-Token"

    /// The most records that one batch may hold.
    package static let recordLimit = 500

    /// The installation that speaks.
    public var device: SDKDevice
    /// The records, oldest first.
    public var records: [SDKRecord]
    /// The signed token (JWT) of the current user, where the app uses SDK authentication.
    public var signature: String?

    /// A batch of `records` from `device`.
    public init(device: SDKDevice, records: [SDKRecord], signature: String? = nil) {
        self.device = device
        self.records = records
        self.signature = signature
    }
}

/// The answer to a batch.
public struct SDKBatchReceipt: Sendable, Codable, Equatable {
    /// Records that are stored; the client deletes them.
    public var acknowledged: [UUID]
    /// Records that will never be stored, with the reason; the client deletes them too.
    public var rejected: [SDKRejection]

    /// A receipt for `acknowledged` and `rejected` records.
    public init(acknowledged: [UUID], rejected: [SDKRejection] = []) {
        self.acknowledged = acknowledged
        self.rejected = rejected
    }
}

/// Why the server refuses one record for good.
public struct SDKRejection: Sendable, Codable, Equatable {
    /// The record.
    public var id: UUID
    /// The field at fault, as a path from the record.
    public var field: String
    /// What is wrong and what to do.
    public var message: String

    /// A rejection of the record `id` because of `field`.
    public init(id: UUID, field: String, message: String) {
        self.id = id
        self.field = field
        self.message = message
    }
}
