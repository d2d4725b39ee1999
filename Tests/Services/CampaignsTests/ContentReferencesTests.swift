import Campaigns
import Testing

@Suite("What a text takes from elsewhere")
struct ContentReferencesTests {
    @Test(
        "a catalog is mentioned by its whole name, in whatever stands around it",
        arguments: [
            ("{% catalog_items teas 1 %}", true), ("{% catalog_selection_items teas new %}", true),
            ("{% catalog_items green-teas 1 %}", false), ("{% catalog_items teas_2 1 %}", false),
            ("{% catalog_items teas2 1 %}", false), ("{% catalog_items 茶teas 1 %}", false),
            ("{% catalog_items {{'teas'}} 1 %}", true), ("teas", false), ("", false),
        ]
    )
    func catalogs(text: String, isMentioned: Bool) {
        #expect(ContentReferences(text).mentions(catalog: "teas") == isMentioned)
    }

    @Test("names of catalogs have letters, digits, hyphens and underscores")
    func names() {
        for name in ["green-teas", "teas_2", "2teas", "茶"] {
            #expect(
                ContentReferences("{% catalog_items \(name) 1 %}").mentions(catalog: name),
                "\(name)"
            )
        }
    }

    @Test("a draft that cannot be parsed includes nothing yet")
    func blocks() {
        #expect(ContentReferences("{{content_blocks.${hello}}} ").blocks == ["hello"])
        #expect(ContentReferences("{{content_blocks.${hello}}} {% if %}").blocks == [])
        #expect(ContentReferences("hello").blocks == [])
    }

    @Test(
        "the catalogs of a text are those that its tags name by themselves",
        arguments: [
            ("{% catalog_items teas 1 %}", ["teas"]),
            ("{% catalog_selection_items green-teas new %}", ["green-teas"]),
            (
                "{% catalog_items a 1 %}{% catalog_items b_2 x %}{% catalog_items a 2 %}",
                ["a", "b_2"]
            ),
            ("{% catalog_items\n\tteas\n1 %}", ["teas"]), ("{% catalog_itemsteas 1 %}", []),
            ("{% catalog_items {{name}} 1 %}", []), ("{% catalog_items te{{s}} 1 %}", []),
            ("{% catalog_items te.as 1 %}", []), ("{% catalog_items teas", []), ("teas", []),
            ("", []),
        ] as [(String, [String])]
    )
    func tags(text: String, catalogs: [String]) {
        #expect(ContentReferences(text).catalogs == Set(catalogs))
    }
}
