import Foundation
import NoroshiOutbox
import NoroshiWire

/// The server's side of the batch protocol, small: it stores each record id once.
package final class Ingest: NoroshiTransport {
    package struct Contents: Sendable {
        package var records: [SDKRecord] = []
        package var seen: Set<UUID> = []
        package var repeatedCount = 0
        package var requests: [NoroshiRequest] = []
        package var batches: [SDKBatch] = []
        /// Answers given instead of reading the batch, one each; `nil` is a lost connection.
        package var nextAnswers: [NoroshiResponse?] = []
        /// Records refused for good, with the reason.
        package var refuses: @Sendable (SDKRecord) -> String? = { _ in nil }
        /// Requests that only read.
        package var reads: [NoroshiRequest] = []
        /// Happens while a request that only reads is under way.
        package var willRead: @Sendable (NoroshiRequest) -> Void = { _ in }
        /// What `GET` finds, by path.
        package var documents: [String: Data] = [:]
        /// Answers a request that only reads instead, from the records that have arrived.
        package var readsFrom: (@Sendable (NoroshiRequest, [SDKRecord]) -> NoroshiResponse?)?
        /// Refuses whole batches.
        package var refusesBatch: @Sendable (SDKBatch) -> NoroshiResponse? = { _ in nil }
    }

    private let contents = Locked(Contents())

    package init() {}

    package func read<Value>(_ body: (Contents) -> Value) -> Value {
        contents.withLock { body($0) }
    }

    package func change(_ body: (inout Contents) throws -> Void) rethrows {
        try contents.withLock { try body(&$0) }
    }

    /// The stored records, in the order of their arrival.
    package var records: [SDKRecord] { read(\.records) }

    package func send(_ request: NoroshiRequest) async throws -> NoroshiResponse {
        try answer(to: request)
    }

    /// Reads a batch, unless another answer is due.
    package func answer(to request: NoroshiRequest) throws -> NoroshiResponse {
        try contents.withLock { contents in
            if request.method == "GET" {
                contents.reads.append(request)
                contents.willRead(request)
                if let answer = contents.readsFrom?(request, contents.records) { return answer }
                let document = contents.documents[request.url.path]
                return NoroshiResponse(
                    status: document == nil ? 404 : 200,
                    body: document ?? Data()
                )
            }
            contents.requests.append(request)
            if !contents.nextAnswers.isEmpty {
                guard let answer = contents.nextAnswers.removeFirst() else {
                    throw NoroshiError(code: .network, message: "the connection is lost")
                }
                return answer
            }
            let batch = try JSONDecoder().decode(SDKBatch.self, from: request.body ?? Data())
            if let refusal = contents.refusesBatch(batch) { return refusal }
            contents.batches.append(batch)
            var receipt = SDKBatchReceipt(acknowledged: [])
            for record in batch.records {
                if let reason = contents.refuses(record) {
                    receipt.rejected.append(
                        SDKRejection(id: record.id, field: "name", message: reason)
                    )
                    continue
                }
                if contents.seen.insert(record.id).inserted {
                    contents.records.append(record)
                } else {
                    contents.repeatedCount += 1
                }
                receipt.acknowledged.append(record.id)
            }
            return NoroshiResponse(status: 200, body: try JSONEncoder().encode(receipt))
        }
    }
}

extension SDKRecord {
    /// The name and properties of an event; `nil` for other records.
    package var event: (name: String, properties: [String: JSONValue])? {
        if case .event(let name, let properties) = content { (name, properties) } else { nil }
    }

    /// The attributes that the record changes; `nil` for other records.
    package var attributes: [String: JSONValue]? {
        if case .attributes(let attributes, _) = content { attributes } else { nil }
    }

    /// The interaction with an in-app message; `nil` for other records.
    package var inAppMessage: InAppMessageInteraction? {
        if case .inAppMessage(let interaction) = content { interaction } else { nil }
    }

    /// The interaction with a push; `nil` for other records.
    package var push: PushInteraction? {
        if case .push(let interaction) = content { interaction } else { nil }
    }
}
