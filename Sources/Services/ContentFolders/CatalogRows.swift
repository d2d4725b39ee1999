import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons

/// The rows of a catalog as a CSV file (RFC 4180): a header with the names of its fields, `id` first.
///
/// An empty cell is no value, and `null` is JSON's; a text that is empty, says `null` or begins with a quote
/// is in JSON's own quotes.
enum CatalogRows {
    static func text(_ items: [[String: JSONValue]], fields: [(name: String, type: String)])
        -> String
    {
        let columns = fields.filter { $0.name != "id" }
        var text = CSVRecord.line(["id"] + columns.map(\.name))
        for item in items {
            let values = item["values"]?.objectValue ?? [:]
            text += CSVRecord.line(
                [item["id"]?.stringValue ?? ""] + columns.map { cell(values[$0.name]) }
            )
        }
        return text
    }

    /// The same rows with the columns and in the order of an earlier file, of which unchanged rows stay as
    /// they are written; `nil` if it has no column for a value.
    static func text(
        _ items: [[String: JSONValue]],
        keeping former: String,
        _ known: [[String: JSONValue]]
    ) -> String? {
        func id(_ item: [String: JSONValue]) -> String { item["id"]?.stringValue ?? "" }
        var records = records(of: former)
        guard !records.isEmpty, let header = try? CSVRecord.fields(records.removeFirst().text.utf8),
            header.first == "id", records.count == known.count
        else { return nil }
        var left = Dictionary(items.map { (id($0), $0) }, uniquingKeysWith: { first, _ in first })
        func line(_ item: [String: JSONValue]) -> String? {
            let values = item["values"]?.objectValue ?? [:]
            guard values.keys.allSatisfy(header.contains) else { return nil }
            return CSVRecord.line([id(item)] + header.dropFirst().map { cell(values[$0]) })
        }
        let end = former.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
        var text = String(former.unicodeScalars.prefix { $0 != "\r" && $0 != "\n" }) + end
        for (record, item) in zip(records, known) {
            guard let now = left.removeValue(forKey: id(item)) else { continue }
            guard now != item else {
                text += record.text + end
                continue
            }
            guard let line = line(now) else { return nil }
            text += line.dropLast() + end
        }
        for item in items where left[id(item)] != nil {
            guard let line = line(item) else { return nil }
            text += line.dropLast() + end
        }
        return text
    }

    private static func cell(_ value: JSONValue?) -> String {
        switch value {
        case nil: ""
        case .string(let text)? where !text.isEmpty && text != "null" && !text.hasPrefix("\""): text
        case let value?: JSONWriter.text(value)
        }
    }

    /// The rows as lines of a content file.
    ///
    /// - Throws: `FolderProblem`.
    static func items(
        _ text: String,
        path: String,
        catalog: String,
        fields: [(name: String, type: String)]
    ) throws(FolderProblem) -> [(line: Int, members: [String: JSONValue])] {
        var records = records(of: text)
        guard !records.isEmpty else { return [] }
        func split(_ record: (line: Int, text: Substring)) throws(FolderProblem) -> [String] {
            do throws(FieldProblem) {
                return try CSVRecord.fields(record.text.utf8)
            } catch {
                throw FolderProblem(
                    path,
                    YAMLReader.Place(line: record.line, column: 1),
                    field: "",
                    reason: error.reason
                )
            }
        }
        let header = try split(records.removeFirst())
        let types = Dictionary(
            fields.map { ($0.name, $0.type) },
            uniquingKeysWith: { first, _ in first }
        )
        guard header.first == "id" else {
            throw problem(path, 1, .noIDColumn)
        }
        if let unknown = header.dropFirst().first(where: { types[$0] == nil }) {
            throw problem(path, 1, .unknownColumn, ["name": .text(unknown)])
        }
        guard Set(header).count == header.count else {
            throw problem(path, 1, .columnTwice)
        }
        var items: [(line: Int, members: [String: JSONValue])] = []
        for record in records {
            let cells = try split(record)
            guard cells.count == header.count else {
                throw problem(
                    path,
                    record.line,
                    .cellCount,
                    ["count": "\(cells.count)", "columns": "\(header.count)"]
                )
            }
            var values: [String: JSONValue] = [:]
            for (name, cell) in zip(header, cells).dropFirst() where !cell.isEmpty {
                values[name] = value(cell, type: types[name] ?? "string")
            }
            items.append(
                (
                    record.line,
                    [
                        "kind": "catalog_item", "catalog": .string(catalog),
                        "id": .string(cells[0]), "values": .object(values),
                    ]
                )
            )
        }
        return items
    }

    private static func value(_ cell: String, type: String) -> JSONValue {
        let isText = type == "string" || type == "time"
        if isText, cell != "null", !cell.hasPrefix("\"") { return .string(cell) }
        // What is no value of its type is named by whoever stores it.
        return (try? JSONReader.read(Array(cell.utf8))) ?? .string(cell)
    }

    /// The records with the lines on which they begin; a quoted cell may have line ends inside.
    private static func records(of text: String) -> [(line: Int, text: Substring)] {
        var records: [(line: Int, text: Substring)] = []
        var line = 1
        var first = 1
        var start = text.startIndex
        var isQuoted = false
        func add(to end: String.Index) {
            var record = text[start..<end]
            if record.hasSuffix("\r") { record.removeLast() }
            if !record.isEmpty { records.append((first, record)) }
        }
        var index = text.unicodeScalars.startIndex
        while index < text.unicodeScalars.endIndex {
            let scalar = text.unicodeScalars[index]
            if scalar == "\"" { isQuoted.toggle() }
            if scalar == "\n" {
                line += 1
                if !isQuoted {
                    add(to: index)
                    start = text.unicodeScalars.index(after: index)
                    first = line
                }
            }
            index = text.unicodeScalars.index(after: index)
        }
        add(to: text.endIndex)
        return records
    }

    private static func problem(
        _ path: String,
        _ line: Int,
        _ code: FolderReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> FolderProblem {
        FolderProblem(path, YAMLReader.Place(line: line, column: 1), code, arguments)
    }
}
