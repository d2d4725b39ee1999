import Testing

@testable import Console

@Suite("A template in a list")
struct TemplateGistTests {
    @Test(
        "shows defaults, names in brackets, and the first text of a choice",
        arguments: [
            ("Tea is ready", "Tea is ready"),
            ("Hi {{${first_name}}}, tea", "Hi [first_name], tea"),
            ("Hi {{ ${first_name} | default: 'you' | upcase }}!", "Hi you!"),
            (#"{{custom_attribute.${tea} | default: "tea"}} for two"#, "tea for two"),
            ("{{- event_properties.${shop} -}} waits", "[shop] waits"),
            ("{{ count | plus: 1 }} left", "[count] left"),
            ("{% if ${language} == 'ja' %}お茶{% elsif x %}Tee{% else %}Tea{% endif %}!", "お茶!"),
            ("{% case x %}{% when 1 %}One{% when 2 %}Two{% else %}Many{% endcase %}.", "One."),
            ("{% if a %}A{% if b %}B{% else %}C{% endif %}D{% else %}E{% endif %}F", "ABDF"),
            ("{% assign tea = 'oolong' %}{% capture x %}no{% endcapture %}A {{tea}}", "A [tea]"),
            ("{%- comment -%} hidden {%- endcomment -%}Seen", "Seen"),
            ("{{content_blocks.${footer}}}", "[footer]"),
            ("{% abort_message() %}", "{% abort_message() %}"),
            ("{{ ${a} | default: 'this | that' }}", "this | that"),
            (#"{{ ${a} | default: "it's" }}, {{ ${b} | default: other }}"#, "it's, [b]"),
            ("{{ ${a} | append: '| default: no' }}", "[a]"), ("{ {{ a }} }", "{ [a] }"),
            ("é{{ ${名前} | default: '皆さん' }}👋{% if x %}🍵{% endif %}", "é皆さん👋🍵"),
            ("Half {{ open", "Half {{ open"), ("{% if a %}Half {%", "Half {%"), ("{", "{"),
            ("50 } off {", "50 } off {"), ("", ""),
        ]
    )
    func gist(template: String, gist: String) {
        #expect(TemplateGist.text(template) == gist)
    }
}
