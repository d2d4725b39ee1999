import Foundation
import Model
import NoroshiWire

/// The value of a news item in a column, by its name on the wire.
enum NewsColumn: Sendable, Hashable {
    case missing
    case texts([String])
    case number(Double)
    case date(Date)

    init(_ name: String, of row: PublishedNews.Row) {
        let item = row.item
        let content = item.content
        switch name {
        case "news_id": self = .number(Double(item.id.rawValue))
        case "tenant_id": self = .texts([item.tenantID])
        case "title": self = .texts([content.title])
        case "description": self = .texts([content.text])
        case "category": self = Self.text(content.category)
        case "tags": self = content.tags.isEmpty ? .missing : .texts(content.tags)
        case "url": self = Self.text(content.url)
        case "photo": self = Self.text(content.imageURL)
        case "author": self = Self.text(item.author)
        case "release_from_date": self = .date(content.releaseFrom ?? item.createdAt)
        case "release_end_date": self = content.releaseEnd.map(Self.date) ?? .missing
        case "readed_dte": self = row.readAt.map(Self.date) ?? .missing
        default: self = Self(content.attributes[name])
        }
    }

    private init(_ value: JSONValue?) {
        switch value {
        case .string(let text): self = .texts([text])
        case .integer(let number): self = .number(Double(number))
        case .number(let number): self = .number(number)
        case .bool(let isTrue): self = .texts([isTrue ? "1" : "0"])
        case .array(let values): self = .texts(values.compactMap(\.stringValue))
        case .null, .object, nil: self = .missing
        }
    }

    private static func text(_ text: String) -> NewsColumn {
        text.isEmpty ? .missing : .texts([text])
    }

    /// The value as text, for operators that compare parts of texts.
    var allTexts: [String] {
        switch self {
        case .missing: []
        case .texts(let texts): texts
        case .number(let number): [Int64(exactly: number).map(String.init) ?? String(number)]
        case .date(let date): [date.formatted(.iso8601)]
        }
    }

    /// The order relative to a value on the wire; `nil` if they cannot be compared.
    func order(against text: String) -> [Order] {
        switch self {
        case .missing: return []
        case .texts(let texts): return texts.map { Order($0, text) }
        case .number(let number):
            guard let other = Double(text) else { return [] }
            return [Order(number, other)]
        case .date(let date):
            guard let other = Self.date(text) else { return [] }
            return [Order(date, other)]
        }
    }

    /// Compares values for sorting rows; missing values come last.
    func isBefore(_ other: NewsColumn) -> Bool? {
        switch (self, other) {
        case (.missing, .missing): nil
        case (.missing, _): false
        case (_, .missing): true
        case (.number(let left), .number(let right)): left == right ? nil : left < right
        case (.date(let left), .date(let right)): left == right ? nil : left < right
        default:
            allTexts.lexicographicallyPrecedes(other.allTexts)
                ? true : other.allTexts.lexicographicallyPrecedes(allTexts) ? false : nil
        }
    }

    enum Order {
        case before, same, after

        init<Value: Comparable>(_ left: Value, _ right: Value) {
            self = left < right ? .before : left == right ? .same : .after
        }
    }

    /// Times without a zone are in Japan's time (UTC+9), as in the products from which this
    /// protocol comes.
    private static func date(_ text: String) -> Date? {
        let isBare = text.utf8.count == 19 && text.utf8.dropFirst(10).first == UInt8(ascii: " ")
        return Timestamp.parse(isBare ? text.replacing(" ", with: "T") + "+09:00" : text)
    }
}
