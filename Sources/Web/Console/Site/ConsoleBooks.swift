import WebPages

/// The templates, texts and assets of the console's pages, loaded once.
package struct ConsoleBooks: Sendable {
    let templates: TemplateLibrary
    let words: Localizations
    let assets: AssetURLs

    /// Those of this binary, read once however many servers a process has.
    package static let embedded = Result { try ConsoleBooks() }

    /// - Parameter flaw: Called for names in templates that a page does not have.
    /// - Throws: ``WebFileError`` if the embedded files are invalid.
    package init(
        _ files: WebFiles = .embedded,
        flaw: (@Sendable (_ template: String, TemplateFlaw) -> Void)? = nil
    ) throws {
        templates = try TemplateLibrary(files: files.folder("Console/Templates"), flaw: flaw)
        words = try Localizations(console: files)
        assets = AssetURLs(files)
    }
}
