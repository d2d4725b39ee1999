/// Keeps texts in CSV files from being evaluated as formulas in a spreadsheet, and restores them.
///
/// A text that a spreadsheet would evaluate is prefixed with an apostrophe, which spreadsheets
/// treat as a marker for text. So is a formula that already starts with an apostrophe, so that
/// every marked text can be restored exactly.
package enum SpreadsheetText {
    /// The first characters of formulas, in all variants that spreadsheets accept.
    private static let beginnings: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE66}",
        "\u{FE62}", "\u{FE63}", "\u{FE6B}", "\u{2212}",
    ]

    /// Whether a spreadsheet might evaluate a text. Scalars are checked, because invisible ones may
    /// be joined to the first character.
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
    /// - Parameter isMistaken: Whether the text would otherwise be read back as a different one.
    package static func marked(
        _ text: String,
        where isMistaken: (String) -> Bool = { _ in false }
    ) -> String {
        needsMark(text, isMistaken) ? "'" + text : text
    }

    /// The text of a cell that `marked` created with the same condition; `nil` for an unmarked
    /// cell.
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
