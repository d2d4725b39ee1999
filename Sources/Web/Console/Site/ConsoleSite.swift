import Accounts
import Foundation
import Hummingbird
import Model
import WebPages

/// What every page of the console is made from.
package struct ConsoleSite: Sendable {
    let services: ConsoleServices
    let features: ConsoleFeatures
    let settings: ConsoleSettings
    let templates: TemplateBook
    let book: WordBook
    let assets: AssetAddresses

    package init(
        services: ConsoleServices,
        features: ConsoleFeatures = ConsoleFeatures(),
        settings: ConsoleSettings,
        books: ConsoleBooks
    ) {
        self.services = services
        self.features = features
        self.settings = settings
        templates = books.templates
        book = books.words
        assets = books.assets
    }

    /// Writes down what a member has changed.
    func record(
        _ action: AuditAction,
        _ subject: String,
        detail: String = "",
        _ visit: Visit
    ) async throws {
        try await services.auditLog.record(
            action.rawValue,
            subject,
            detail: detail,
            by: visit.actor.name,
            in: visit.workspace
        )
    }

    /// A page inside the navigation.
    func page(
        _ template: String,
        _ content: some Any,
        title: String,
        place: NavigationPlace?,
        visit: Visit,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let shell = Shell(title: title, place: place, visit: visit, site: self)
        let page = Page(t: visit.words, asset: assets, shell: shell, page: content)
        return PageAnswer.html(try templates.render(template, page), status: status)
    }

    /// A part of a page, fetched by the page's script.
    func part(_ template: String, _ content: some Any, visit: Visit) throws -> Response {
        PageAnswer.html(try text(template, content, visit: visit))
    }

    /// The text of a part of a page.
    func text(_ template: String, _ content: some Any, visit: Visit) throws -> String {
        try templates.render(template, Part(t: visit.words, asset: assets, page: content))
    }

    /// A page for someone who is not logged in.
    func barePage(
        _ template: String,
        _ content: some Any,
        words: Words,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let page = BarePage(
            t: words,
            asset: assets,
            languageTag: words.language.rawValue,
            languages: LanguageChoice.all(current: words.language),
            languageAction: ConsolePath.language.path,
            page: content
        )
        return PageAnswer.html(try templates.render(template, page), status: status)
    }
}

/// What a template inside the navigation sees.
struct Page<Content> {
    let t: Words
    let asset: AssetAddresses
    let shell: Shell
    let page: Content
}

/// What the template of a part sees.
struct Part<Content> {
    let t: Words
    let asset: AssetAddresses
    let page: Content
}

/// What a template outside the navigation sees.
struct BarePage<Content> {
    let t: Words
    let asset: AssetAddresses
    let languageTag: String
    let languages: [LanguageChoice]
    let languageAction: String
    let page: Content
}
