/// Keeps texts in CSV files from becoming formulas in a spreadsheet, and gives them back.
///
/// A text that a spreadsheet would calculate gets an apostrophe before it, which spreadsheets take
/// for "this is text". So does one that has an apostrophe before a formula already: whatever has
/// been marked can be read back without difference.
package enum SpreadsheetText {
    /// What formulas begin with, in all the forms that spreadsheets of the world take for them.
    private static let beginnings: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE66}",
        "\u{FE62}", "\u{FE63}", "\u{FE6B}", "\u{2212}",
    ]

    /// Whether a spreadsheet might calculate a text: scalars decide, because what is not seen may
    /// be joined to the first of them.
    package static func isFormula(_ text: String) -> Bool {
        for scalar in text.unicodeScalars {
            if isUnseen(scalar) { continue }
            switch scalar {
            case "\t", "\r", "\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": return true
            case let other where other.properties.isWhitespace: continue
            default: return beginnings.contains(scalar)
            }
        }
        return false
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        switch scalar.properties.generalCategory {
        case .format, .nonspacingMark, .enclosingMark: return true
        case .control:
            return !["\t", "\r", "\n", "\u{B}", "\u{C}", "\u{85}"].contains(scalar)
        default: return false
        }
    }

    /// The text as a cell.
    ///
    /// - Parameter isMistaken: Whether another text would not be read back as the text it is.
    package static func marked(
        _ text: String,
        where isMistaken: (String) -> Bool = { _ in false }
    ) -> String {
        needsMark(text, isMistaken) ? "'" + text : text
    }

    /// The text of a cell that `marked` has made with the same condition; `nil` of one without mark.
    package static func unmarked(
        _ cell: String,
        where isMistaken: (String) -> Bool = { _ in false }
    ) -> String? {
        guard cell.unicodeScalars.first == "'" else { return nil }
        let text = String(cell.unicodeScalars.dropFirst())
        return needsMark(text, isMistaken) ? text : nil
    }

    private static func needsMark(_ text: String, _ isMistaken: (String) -> Bool) -> Bool {
        let rest = String(text.unicodeScalars.drop { $0 == "'" })
        return isFormula(rest) || isMistaken(rest)
    }
}
