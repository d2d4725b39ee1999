import Synchronization
import Testing

@testable import WebPages

@Suite("Templates")
struct TemplateLibraryTests {
    private struct Row {
        let name: String
        let tags: [String]
        let note: String?
        let inner: Inner?
    }

    private struct Inner: CustomStringConvertible {
        let name: String

        var description: String { "<\(name)>" }
    }

    private struct Page {
        let title: String
        let count: Int
        let isShown: Bool
        let none: String?
        let some: String?
        let rows: [Row]
        let empty: [Row]
        let byName: [String: String]
    }

    private func text(_ template: String) throws -> String {
        let book = try TemplateLibrary(files: [
            WebFile(path: "page.mustache", bytes: Array(template.utf8))
        ])
        return try book.render(
            "page",
            Page(
                title: "Tea & more",
                count: 3,
                isShown: true,
                none: nil,
                some: "green",
                rows: [
                    Row(name: "a", tags: ["x", "y"], note: nil, inner: Inner(name: "deep")),
                    Row(name: "b", tags: [], note: "new", inner: nil),
                ],
                empty: [],
                byName: ["key": "value"]
            )
        )
    }

    @Test(
        "say what an object's fields say",
        arguments: [
            ("{{title}} {{{title}}}", "Tea &amp; more Tea & more"),
            ("{{count}} {{missing}}", "3 "),
            ("{{#isShown}}yes{{/isShown}}{{^isShown}}no{{/isShown}}", "yes"),
            ("{{#none}}some{{/none}}{{^none}}none{{/none}}", "none"),
            ("{{#some}}[{{.}}]{{/some}}{{some}}", "[green]green"),
            ("{{#rows}}{{name}}:{{#tags}}{{.}}{{/tags}}{{^tags}}-{{/tags}} {{/rows}}", "a:xy b:- "),
            ("{{#rows}}{{title}}{{note}};{{/rows}}", "Tea &amp; more;Tea &amp; morenew;"),
            ("{{#rows}}{{#inner}}{{name}}{{/inner}}{{inner.name}};{{/rows}}", "deepdeep;;"),
            ("{{#rows}}{{#first()}}1{{/first()}}{{^last()}}, {{/last()}}{{/rows}}", "1, "),
            ("{{#empty}}x{{/empty}}{{^empty}}nothing{{/empty}}", "nothing"),
            ("{{byName.key}}", "value"),
            ("{{#rows}}{{{inner}}}{{/rows}}", "<deep>"),
        ]
    )
    func fields(template: String, expected: String) throws {
        #expect(try text(template) == expected)
        // A second time, as one page asks for a field again and again.
        #expect(try text(template + template) == expected + expected)
    }

    private struct Flawed {
        let title = "Tea"
        let note = "outer"
        let none: String? = nil
        let rows = [Inner(name: "a"), Inner(name: "b")]
        let inner = Row(name: "c", tags: [], note: nil, inner: nil)
    }

    private final class Flaws: Sendable {
        let found = Mutex<[TemplateFlaw]>([])
    }

    @Test(
        "tell of names that nothing has, and of outer values in place of empty inner ones",
        arguments: [
            ("{{title}}{{none}}{{^none}}{{#none}}{{/none}}{{/none}}{{note}}", []),
            ("{{#rows}}{{name}}{{title}}{{none}}{{/rows}}{{inner.name}}", []),
            ("{{titel}}{{titel}}", [.unknown("titel"), .unknown("titel")]),
            ("{{#missing}}x{{/missing}}{{title}}", [.unknown("missing")]),
            ("{{#rows}}{{nmae}}{{/rows}}", [.unknown("nmae"), .unknown("nmae")]),
            ("{{inner.nmae}}", [.unknown("nmae")]),
            ("{{inner.nmae}}{{title}}", [.unknown("nmae")]),
            ("{{inner.note}}{{title}}", []),
            ("{{#inner}}{{note}}{{/inner}}", [.covered("note")]),
        ] as [(String, [TemplateFlaw])]
    )
    func flaws(template: String, expected: [TemplateFlaw]) throws {
        let flaws = Flaws()
        let book = try TemplateLibrary(
            files: [WebFile(path: "page.mustache", bytes: Array(template.utf8))]
        ) { _, flaw in flaws.found.withLock { $0.append(flaw) } }
        _ = try book.render("page", Flawed())
        #expect(flaws.found.withLock { $0 } == expected)
    }

    @Test("an unknown one is named")
    func unknown() throws {
        let book = try TemplateLibrary(files: [])
        #expect(throws: WebFileError.self) { try book.render("page", Inner(name: "")) }
    }
}
