import Liquid
import Testing

@Suite("The attributes that a template names")
struct AttributeUseTests {
    @Test(
        "leave a hole where they are printed without a condition or a default",
        arguments: [
            ("{{${first_name}}}", "first_name", false, true),
            ("{{custom_attribute.${plan} | upcase}}", "plan", true, true),
            ("{{${first_name} | default: 'you'}}", "first_name", false, false),
            ("{% if ${first_name} %}{{${first_name}}}{% endif %}", "first_name", false, false),
            ("{% if true %}x{% endif %}{{${first_name}}}", "first_name", false, true),
            ("{% assign a = custom_attribute.${plan} %}{{a}}", "plan", true, false),
        ]
    )
    func uses(source: String, name: String, isCustom: Bool, needsDefault: Bool) throws {
        let template = try Template(parsing: source, mode: .strict)
        #expect(
            template.attributes == [
                AttributeUse(name: name, isCustom: isCustom, needsDefault: needsDefault)
            ]
        )
        #expect(template.unknownFilters == [])
    }

    @Test("and filters that there are none of, each once")
    func filters() throws {
        let template = try Template(
            parsing: "{{ 'a' | upcased }}{{ 'b' | upcased | upcase | x }}",
            mode: .strict
        )
        #expect(template.unknownFilters == ["upcased", "x"])
        #expect(Template.filterNames.contains("upcase"))
    }
}
