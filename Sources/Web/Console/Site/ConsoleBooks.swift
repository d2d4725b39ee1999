import WebPages

/// What the console's pages are made from, read once.
package struct ConsoleBooks: Sendable {
    let templates: TemplateBook
    let words: WordBook
    let assets: AssetAddresses

    /// - Throws: ``TemplateError`` or ``WordBookError`` when the binary's own files are broken.
    package init(_ files: WebFiles = .embedded) throws {
        templates = try TemplateBook(files: files.folder("Console/Templates"))
        words = try WordBook(files: files.folder("Console/Words"))
        assets = AssetAddresses(files)
    }
}
