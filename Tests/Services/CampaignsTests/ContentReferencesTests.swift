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
}
