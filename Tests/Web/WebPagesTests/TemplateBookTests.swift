import Testing

@testable import WebPages

@Suite("Templates")
struct TemplateBookTests {
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
        let book = try TemplateBook(files: [
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

    @Test("an unknown one is named")
    func unknown() throws {
        let book = try TemplateBook(files: [])
        #expect(throws: TemplateError.self) { try book.render("page", Inner(name: "")) }
    }
}
