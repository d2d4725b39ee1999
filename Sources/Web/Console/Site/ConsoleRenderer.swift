import Foundation
import Hummingbird
import Model
import WebPages

/// The common parts of every page of the console; one object, which every route and every handler refers to.
package final class ConsoleRenderer: Sendable {
    let services: ConsoleServices
    let settings: ConsoleSettings
    let templates: TemplateLibrary
    let book: Localizations
    let assets: AssetURLs

    package init(
        services: ConsoleServices,
        settings: ConsoleSettings,
        books: ConsoleBooks
    ) {
        self.services = services
        self.settings = settings
        templates = books.templates
        book = books.words
        assets = books.assets
    }

    /// A page inside the navigation.
    func page(
        _ template: String,
        _ content: some Any,
        title: String,
        place: NavigationSection?,
        context: ConsoleContext,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let shell = PageLayout(title: title, place: place, context: context, site: self)
        let page = Page(t: context.words, asset: assets, shell: shell, page: content)
        return HTMLResponse.html(try templates.render(template, page), status: status)
    }

    /// A part of a page, fetched by the page's script.
    func part(_ template: String, _ content: some Any, context: ConsoleContext) throws -> Response {
        HTMLResponse.html(try text(template, content, context: context))
    }

    /// The text of a part of a page.
    func text(_ template: String, _ content: some Any, context: ConsoleContext) throws -> String {
        try templates.render(template, Part(t: context.words, asset: assets, page: content))
    }

    /// A page for a client that is not logged in.
    ///
    /// - Parameter back: The path to which a change of language leads.
    func barePage(
        _ template: String,
        _ content: some Any,
        words: Words,
        back: String,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let page = SignedOutPage(
            t: words,
            asset: assets,
            languageTag: words.language.rawValue,
            languageMenu: LanguageMenu(current: words.language, back: back),
            page: content
        )
        return HTMLResponse.html(try templates.render(template, page), status: status)
    }
}

/// The model of a template inside the navigation.
struct Page<Content> {
    let t: Words
    let asset: AssetURLs
    let shell: PageLayout
    let page: Content
}

/// The model of the template of a part.
struct Part<Content> {
    let t: Words
    let asset: AssetURLs
    let page: Content
}

/// The model of a template outside of the navigation.
struct SignedOutPage<Content> {
    let t: Words
    let asset: AssetURLs
    let languageTag: String
    let languageMenu: LanguageMenu
    let page: Content
}
