import WebPages

/// What the console's pages are made from, read once.
package struct ConsoleBooks: Sendable {
    let templates: TemplateBook
    let words: WordBook
    let assets: AssetAddresses

    /// - Parameter flaw: Told of names in templates that a page does not have.
    /// - Throws: ``TemplateError`` or ``WordBookError`` when the binary's own files are broken.
    package init(
        _ files: WebFiles = .embedded,
        flaw: (@Sendable (_ template: String, TemplateFlaw) -> Void)? = nil
    ) throws {
        templates = try TemplateBook(files: files.folder("Console/Templates"), flaw: flaw)
        words = try WordBook(console: files)
        assets = AssetAddresses(files)
    }
}
