import Model
import Testing

@Suite("Texts that spreadsheets would calculate")
struct SpreadsheetTextTests {
    @Test(
        "a text that begins like a formula, seen or not, is marked",
        arguments: [
            "=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\u{200D}=1",
            "=\u{200D}1", "=\u{FE0F}1", "=\u{301}1", "\u{FE0F}=1", "\u{FEFF}=1", "\u{2060}=1",
            "\u{200B}\u{200B}=1", "\u{AD}=1", "\u{34F}=1", "  =1", "\u{3000}=1", "＝1", "＋1",
            "－1", "＠1", "−1", "﹦1", "\u{202E}=1", "\u{0}=1", "\u{85}=1",
        ]
    )
    func formulas(text: String) {
        #expect(SpreadsheetText.isFormula(text))
        #expect(SpreadsheetText.marked(text) == "'" + text)
        #expect(SpreadsheetText.unmarked("'" + text) == text)
    }

    @Test(
        "other texts stay as they are",
        arguments: [
            "", "ada", "1+1", "a=1", "'", "''", "it's", "'quoted'", " a", "日本", "\u{200D}a",
        ]
    )
    func others(text: String) {
        #expect(!SpreadsheetText.isFormula(text))
        #expect(SpreadsheetText.marked(text) == text)
        #expect(SpreadsheetText.unmarked(text) == nil)
    }

    @Test("whatever was marked is read back without difference, marks included")
    func reversible() {
        let beginnings = ["", "'", "''", "=", "'=", "''=", "'+1", "'\u{200D}=", "'a", "42", "'42"]
        for text in beginnings {
            for isMistaken in [{ (_: String) in false }, { $0 == "42" }] {
                let cell = SpreadsheetText.marked(text, where: isMistaken)
                #expect(SpreadsheetText.unmarked(cell, where: isMistaken) ?? cell == text)
            }
        }
    }
}
