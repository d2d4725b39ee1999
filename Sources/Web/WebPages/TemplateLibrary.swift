import Mustache

/// The page templates, parsed once.
package struct TemplateLibrary: Sendable {
    private let library: MustacheLibrary
    private let flaw: (@Sendable (_ template: String, TemplateFlaw) -> Void)?
    package let names: Set<String>

    /// - Parameter flaw: Called for names that a page does not have; pages are rendered anyway.
    package init(
        files: [WebFile],
        flaw: (@Sendable (_ template: String, TemplateFlaw) -> Void)? = nil
    ) throws {
        self.flaw = flaw
        var library = MustacheLibrary()
        var names: Set<String> = []
        for file in files {
            do {
                try library.register(file.text, named: file.stem)
            } catch {
                throw WebFileError.unreadable(file: file.path, reason: "\(error)")
            }
            names.insert(file.stem)
        }
        self.library = library
        self.names = names
    }

    /// Renders a page.
    ///
    /// - Parameter model: An object with the fields that the template names.
    package func render(_ name: String, _ model: Any) throws -> String {
        let watch = flaw.map { flaw in NameWatch { flaw(name, $0) } }
        let values = PageValues(page: model, watch: watch)
        guard let text = library.render(values, withTemplate: name) else {
            throw WebFileError.unknownTemplate(name: name)
        }
        watch?.end()
        return text
    }
}
