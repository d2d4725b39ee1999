import Model
import Reasons
import Testing

@Suite("What is wrong, as codes at typed paths")
struct ProblemTests {
    @Test("a path reads as the REST API names the field")
    func paths() {
        let paths: [(FieldPath, String)] = [
            (.push(.threadID), "thread_id"), (.push(.pair("a.b")), "key_value_pairs.a.b"),
            (.push(.buttonURI(2), for: .ios), "ios.buttons.2.uri"),
            (
                .campaign(.message(variant: 1, nil, .buttonTitle(0))),
                "variants.1.message.buttons.0.title"
            ),
            (.campaign(.message(variant: 0, .web)), "variants.0.web"),
            (.campaign(.conversion(3, .conditions)), "conversions.3.event.conditions"),
            (.campaign(.exception(.event)), "delivery.exception"),
            (.inApp(.content(variant: 0, .imageURL)), "message.image_url"),
            (
                .inApp(.content(variant: 2, .buttonURL(1))),
                "experiment.others.1.buttons.1.click_action.url"
            ),
            (.inApp(.content(variant: 1)), "experiment.others.0"),
            (.inApp(.rules(.triggerFilters(4))), "message.rules.triggers.4.filters"),
            (.limits(.capDays(0)), "caps.0.days"), (.news(.imageURL), "image_url"),
            (.request("attributes.0.time"), "attributes.0.time"),
        ]
        for (path, name) in paths { #expect(path.description == name) }
    }

    @Test("a reason names what stands in it once, whatever that says")
    func arguments() {
        let reason = Reason(FieldReason.keyTaken, ["name": "{name} {count}"])
        #expect(
            reason.description
                == "there is a key named '{name} {count}' already; choose another name"
        )
        #expect(reason.code == "field.keyTaken")
    }

    @Test("a reason within a reason is said by whoever says the outer one")
    func nested() {
        let inner = Reason(FieldReason.empty)
        let outer = Reason(CredentialReason.signingKey, ["reason": .reason(inner)])
        #expect(outer.description.hasPrefix("The signing key is empty. "))
        #expect(outer.text("<{reason}>") { _ in "leer" } == "<leer>")
    }

    @Test("places are names of two letters or more; other braces are what they are")
    func places() {
        #expect(Reason.places(in: "at most {count} of {names}") == ["count", "names"])
        #expect(Reason.places(in: "“{n}”, “{n,m}”, {% else %}, \\x{1F600}, {").isEmpty)
        let form = Reason(FieldReason.bytes, ["count": "7"])
        #expect(form.text("{% if %} {n} {count") { $0.description } == "{% if %} {n} {count")
    }

    @Test("an error names every field at fault")
    func fields() {
        let error = ValidationError([
            FieldProblem(.campaign(.name), .empty),
            FieldProblem(.campaign(.weight(1)), .range, ["first": "0", "last": "9"]),
        ])
        #expect(error.description == "'name' is empty; 'variants.1.weight' is 0 to 9")
    }
}
