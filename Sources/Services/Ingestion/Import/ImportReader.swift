import Foundation
import JSON
import Model
import NoroshiWire
import Ports
import Reasons

/// Converts the rows of a file to items: a CSV file with a header, or one JSON object per line, in
/// the form of the elements of `/users/track`.
package struct ImportReader: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case users, events

        /// The list of `/users/track` to which the rows belong.
        var list: String { self == .users ? "attributes" : "events" }
    }

    package enum Format: String, Sendable, CaseIterable {
        case csv, ndjson
    }

    package var kind: Kind
    /// The names of the columns; `nil` for JSON.
    package var columns: [String]?
    /// Columns that the import ignores.
    package var ignored: Set<String> = []
    /// The template of `external_id` for files without such a column: `u{number:8}` is `u` and the
    /// column `number`, padded to eight digits.
    package var externalID: String?

    package init(kind: Kind, columns: [String]?) {
        self.kind = kind
        self.columns = columns
    }

    /// - Parameter id: The record's identity: a repeated row is not stored again.
    package func item(
        _ row: [UInt8],
        id: UUID,
        now: Date
    ) throws(FieldProblem) -> IngestItem {
        let node: JSONNode
        var restored: RestoredUser?
        do {
            var bytes = row
            if let columns {
                let object = try object(row, columns)
                if kind == .users { restored = try RestoredUserReader.user(object) }
                bytes = Array(JSONWriter.text(settable(object)).utf8)
            }
            var root = try JSONDocument(bytes: bytes, flawedStrings: .kept).root
            if columns == nil, kind == .users, root.flaw == nil, let object = root.value.objectValue
            {
                restored = try RestoredUserReader.user(object)
                root = try JSONDocument(bytes: Array(JSONWriter.text(settable(object)).utf8)).root
            }
            node = root
        } catch let problem as FieldProblem {
            throw problem
        } catch {
            let reason = (error as? JSONError).map { Reason.Argument.reason($0.reason) }
            throw FieldProblem("row", .noJSON, ["reason": reason ?? "\(error)"])
        }
        var item = try TrackRequest.item(node, kind.list, now, isExport: true)
        if let restored {
            item.restored = restored
            // A restored user has the times from the export.
            if case .attributes(var changes) = item.content {
                changes.keepsStamps = true
                item.content = .attributes(changes)
            }
        }
        if item.recordID == nil { item.recordID = id }
        return item
    }

    private func object(
        _ row: [UInt8],
        _ columns: [String]
    ) throws(FieldProblem) -> [String: JSONValue] {
        let fields = try CSVRecord.fields(row)
        guard fields.count == columns.count else {
            throw FieldProblem(
                "row",
                .rowFields,
                ["count": "\(fields.count)", "header": "\(columns.count)"]
            )
        }
        var cells: [String: String] = [:]
        for (column, field) in zip(columns, fields) where !field.isEmpty { cells[column] = field }
        if cells["external_id"] == nil, let externalID {
            cells["external_id"] = try Self.fill(externalID, cells)
        }
        var object: [String: JSONValue] = [:]
        for (column, cell) in cells where !ignored.contains(column) {
            if Self.textColumns.contains(column) {
                object[column] = .string(SpreadsheetText.unmarked(cell) ?? cell)
            } else if column == "time" {
                object[column] = .string(Self.time(cell))
            } else if let text = SpreadsheetText.unmarked(cell, where: Self.isMistaken) {
                object[column] = .string(text)
            } else {
                object[column] = Self.value(cell)
            }
        }
        return object
    }

    /// Columns that always contain texts.
    private static let textColumns: Set<String> = [
        "external_id", "name", "email", "phone", "braze_id",
    ]

    /// Whether a text would be read as a value of another type.
    private static func isMistaken(_ text: String) -> Bool { value(text) != .string(text) }

    /// The cell for a value, which this reader restores exactly: a text that a spreadsheet would
    /// evaluate, or that looks like a value of another type, is prefixed with an apostrophe.
    package static func cell(_ value: JSONValue, column: String) -> String {
        guard let text = value.stringValue else { return JSONWriter.text(value) }
        return textColumns.contains(column)
            ? SpreadsheetText.marked(text) : SpreadsheetText.marked(text, where: isMistaken)
    }

    /// The attributes that can be set for a user. An export has more columns, and lists the custom
    /// attributes separately.
    private func settable(_ object: [String: JSONValue]) -> [String: JSONValue] {
        guard kind == .users else { return object }
        var object = object.filter { !ignored.contains($0.key) }
        for column in RestoredUserReader.columns where column != "devices" { object[column] = nil }
        // In files of other systems `devices` has a different meaning and is a custom attribute
        // here.
        if object["braze_id"] != nil { object["devices"] = nil }
        if let word = object["gender"]?.stringValue, let code = Self.genders[word.lowercased()] {
            object["gender"] = .string(code)
        }
        if case .object(let attributes)? = object["custom_attributes"] {
            object["custom_attributes"] = nil
            object.merge(attributes) { $1 }
        }
        return object
    }

    /// The codes for words in files of other systems.
    private static let genders = [
        "male": "M", "man": "M", "female": "F", "woman": "F", "other": "O",
        "non-binary": "O", "nonbinary": "O", "unknown": "N", "not applicable": "N",
        "not_applicable": "N", "prefer not to say": "P", "prefer_not_to_say": "P",
    ]

    /// The value of a cell: a number, a Boolean, JSON in brackets or braces, or its text.
    private static func value(_ cell: String) -> JSONValue {
        guard let first = cell.utf8.first else { return .string(cell) }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "t"), UInt8(ascii: "f"),
            UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let value = try? JSONReader.read(cell.utf8) else { return .string(cell) }
            return value
        default:
            return .string(cell)
        }
    }

    /// Whole numbers are seconds since 1970, or milliseconds from the year 5138 on. Other text is
    /// kept, to be rejected with its field name.
    private static func time(_ cell: String) -> String {
        guard let number = Int64(cell) else { return cell }
        let isSeconds = number.magnitude < 100_000_000_000
        let date = Timestamp.date(milliseconds: isSeconds ? number * 1000 : number)
        return date.map(Timestamp.format) ?? cell
    }

    /// Replaces `{column}` and `{column:digits}` with cells.
    private static func fill(
        _ template: String,
        _ cells: [String: String]
    ) throws(FieldProblem) -> String {
        var result = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let parts = rest[rest.index(after: open)..<close].split(separator: ":")
            guard let column = parts.first, let cell = cells[String(column)] else {
                throw FieldProblem("external_id", .noIDColumn)
            }
            let digits =
                parts.count > 1 ? min(Int(parts[1]) ?? 0, FieldValidator.externalIDLimit) : 0
            result += String(repeating: "0", count: max(0, digits - cell.count)) + cell
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
