import Foundation
import HTTPTypes
import Model
import WebPages

/// The form of CSV files (RFC 4180).
enum CSVFile {
    /// The byte order mark, without which spreadsheets do not recognize UTF-8.
    static let mark = "\u{FEFF}"

    static func headers(name: String) -> HTTPFields {
        var headers = HTMLResponse.headers(contentType: "text/csv; charset=utf-8")
        headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        return headers
    }

    static func line(_ values: [String]) -> String {
        values.map(field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ value: String) -> String {
        let text = SpreadsheetText.marked(value)
        guard text.contains(where: { ",\"\r\n".contains($0) || $0.isNewline }) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
