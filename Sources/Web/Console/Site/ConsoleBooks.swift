import WebPages

/// The templates, texts and assets of the console's pages, loaded once.
package struct ConsoleBooks: Sendable {
    let templates: TemplateBook
    let words: WordBook
    let assets: AssetAddresses

    /// - Parameter flaw: Called for names in templates that a page does not have.
    /// - Throws: ``TemplateError`` or ``WordBookError`` if the embedded files are invalid.
    package init(
        _ files: WebFiles = .embedded,
        flaw: (@Sendable (_ template: String, TemplateFlaw) -> Void)? = nil
    ) throws {
        templates = try TemplateBook(files: files.folder("Console/Templates"), flaw: flaw)
        words = try WordBook(console: files)
        assets = AssetAddresses(files)
    }
}
