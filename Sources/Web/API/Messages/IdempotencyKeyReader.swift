import Campaigns
import Crypto
import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Reads the header `Idempotency-Key` of requests that send something.
struct IdempotencyKeyReader {
    static let header = RESTEndpoint.Parameter(
        name: "Idempotency-Key",
        schema: .text(1...TrackRoutes.requestKeyLimit),
        summary: "A request sent again under the same key within 30 days sends nothing more and "
            + "gets the same answer.",
        place: .header
    )

    let call: RESTEndpoint.Call

    /// The key as it was sent; `nil` if there is none.
    func name() throws(FieldProblem) -> String? {
        guard let key = call.header(Self.header.name) else { return nil }
        guard (1...TrackRoutes.requestKeyLimit).contains(key.utf8.count) else {
            throw FieldProblem(
                Self.header.name,
                .byteCount,
                ["count": "\(TrackRoutes.requestKeyLimit)"]
            )
        }
        return key
    }

    /// The key with a fingerprint of the request, which distinguishes a retry from a different
    /// request.
    func key(of operation: String, now: Date) throws -> IdempotencyKey? {
        guard let name = try name() else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var hash = SHA256()
        hash.update(data: Data("\(operation)\n".utf8))
        hash.update(data: try encoder.encode(call.body))
        return IdempotencyKey(
            name: name,
            fingerprint: hash.finalize().map { String($0, radix: 16) }.joined(separator: "."),
            expiredBefore: now.addingTimeInterval(-CampaignTriggerRequest.keyLifetime)
        )
    }
}
