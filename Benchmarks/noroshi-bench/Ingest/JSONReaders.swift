import Foundation
import Ingestion
import JSON
import NoroshiWire

/// The rates of JSON readers for one body of events, in megabytes per second of processor time.
struct JSONReaders: Encodable {
    /// The type that Foundation's decoder fills.
    private struct Body: Decodable {
        struct Event: Decodable {
            struct Properties: Decodable {
                var product_id: String
                var category: String
                var price: Double
                var position: Int
                var in_stock: Bool
            }

            var external_id: String
            var name: String
            var time: String
            var properties: Properties
        }

        var events: [Event]
    }

    var body_bytes: Int
    /// Validates everything and locates every value: `JSONDocument`.
    var reader_mb_per_second: Double
    /// The same and a tree of values.
    var tree_mb_per_second: Double
    /// The same and validated items, ready to store: `TrackRequest`.
    var items_mb_per_second: Double
    var json_decoder_mb_per_second: Double
    var json_serialization_mb_per_second: Double

    init(_ body: [UInt8], now: Date) throws {
        let data = Data(body)
        body_bytes = body.count
        reader_mb_per_second = try Self.rate(body) { try JSONDocument(bytes: body).root.byteCount }
        tree_mb_per_second = try Self.rate(body) {
            try JSONReader.read(body).objectValue?.count ?? 0
        }
        items_mb_per_second = try Self.rate(body) {
            try TrackRequest(JSONDocument(bytes: body).root, now: now).items.count
        }
        json_decoder_mb_per_second = try Self.rate(body) {
            try JSONDecoder().decode(Body.self, from: data).events.count
        }
        json_serialization_mb_per_second = try Self.rate(body) {
            (try JSONSerialization.jsonObject(with: data) as? [String: Any])?.count ?? 0
        }
    }

    /// The best of five measurements; `read` returns a value that depends on the content.
    private static func rate(_ body: [UInt8], _ read: () throws -> Int) throws -> Double {
        var best = 0.0
        for _ in 0..<5 {
            var bytes = 0
            let start = ProcessorTime.own()
            while ProcessorTime.own() - start < 0.2 {
                for _ in 0..<20 {
                    guard try read() > 0 else { throw BenchError("a reader found nothing") }
                    bytes += body.count
                }
            }
            best = max(best, Double(bytes) / 1e6 / (ProcessorTime.own() - start))
        }
        return best.rounded()
    }
}
