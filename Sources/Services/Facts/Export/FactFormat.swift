import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons

/// How facts are written into files.
package enum FactFormat: String, Sendable, Hashable, Codable, CaseIterable {
    case ndjson
    case csv

    /// The columns of a table of all kinds, in this order; it only ever grows at its end.
    package static let columns = [
        "number", "kind", "time", "user_id", "external_id", "into_user_id", "name", "app",
        "product_id", "currency", "price", "quantity", "properties", "subject", "state", "push_no",
        "dispatch_id", "campaign_id", "journey_id", "is_test", "scheduled_at", "message_id",
        "replaces_message_id", "due_at", "device_id", "platform", "message_variation_id", "outcome",
        "reason", "provider_id", "is_unreported", "accepted_at", "received_at", "opened_at",
        "opened_page", "influenced_at", "dismissed_at", "interaction", "action", "page",
        "in_app_message_id", "button", "variant", "news_id", "entry_id", "version", "passage_no",
        "step_id", "arrived_at", "path", "origin", "author", "detail",
    ]

    /// What a file begins with.
    var heading: String { self == .csv ? CSVRecord.line(Self.columns) : "" }

    func line(_ fact: Fact) -> String {
        let object = fact.object
        switch self {
        case .ndjson: return JSONWriter.text(object) + "\n"
        case .csv: return CSVRecord.line(Self.columns.map { Self.cell(object[$0] ?? .null) })
        }
    }

    /// As it is: programs read these files, and an apostrophe before a text would be part of it.
    private static func cell(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        default: JSONWriter.text(value)
        }
    }
}

extension FactFormat {
    /// The numbers of the facts in a file that this wrote.
    func numbers(in data: Data) throws -> [Int64] {
        switch self {
        case .ndjson:
            return try data.split(separator: UInt8(ascii: "\n")).map { line in
                guard let number = try JSONReader.read(line)["number"]?.integerValue else {
                    throw FactExportProblem(.lineWithoutNumber)
                }
                return number
            }
        case .csv:
            var records = CSVRecords(data)
            var numbers: [Int64] = []
            while let record = records.next() {
                guard
                    let number = Int64(
                        String(decoding: record.prefix { $0 != 0x2C }, as: UTF8.self)
                    )
                else { continue }
                numbers.append(number)
            }
            return numbers
        }
    }
}

/// The records of a table; line ends in quotes are part of a record.
private struct CSVRecords {
    private var rest: Data

    init(_ data: Data) {
        rest = data
    }

    mutating func next() -> Data? {
        guard !rest.isEmpty else { return nil }
        var isQuoted = false
        let end = rest.firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: "\n") && !isQuoted
        }
        guard let end else {
            defer { rest = Data() }
            return rest
        }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }
}
