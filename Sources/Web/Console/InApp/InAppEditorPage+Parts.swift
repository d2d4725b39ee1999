import Foundation
import Model
import NoroshiWire
import WebPages

/// The parts of the form, each with the prefix of its field names.
extension InAppEditorPage {
    static func content(
        _ number: Int,
        _ form: InAppForm,
        _ fault: [String: String],
        _ context: ConsoleContext
    ) -> Content {
        let words = context.words
        let prefix = "v\(number)."
        let content = form.contents[number]
        let letter = CampaignForm.letter(number)
        return Content(
            prefix: prefix,
            number: number,
            letter: letter,
            isOnly: form.contents.count == 1,
            removeLabel: words("campaigns.remove_variant", ["name": letter]),
            form: content,
            kinds: InAppMessage.Kind.allCases.map {
                FormChoice(
                    value: $0.rawValue,
                    label: words($0.wordKey),
                    help: words($0.helpKey),
                    isChosen: $0 == content.kind
                )
            },
            choices: InAppChoice.all.map { choice in
                let chosen = content.choices[choice.name] ?? choice.unstated
                return ChoiceField(
                    name: prefix + choice.name,
                    label: words(choice.wordKey),
                    values: choice.values.map {
                        FormChoice(
                            value: $0,
                            label: words(choice.wordKey(of: $0)),
                            isChosen: $0 == chosen
                        )
                    }
                )
            },
            click: click(
                prefix + "body.",
                words("in_app.on_click"),
                content.click,
                fault,
                words
            ),
            buttons: content.buttons.enumerated().map {
                button("\(prefix)b\($0).", $0, $1, fault, words)
            },
            themes: themes(prefix, content.colors, fault, words),
            hasColors: content.colors != InAppForm.Colors(),
            hasMore: !content.language.isEmpty || !content.choices.isEmpty
                || !content.closesAfter.isEmpty,
            weightFault: fault[prefix + "weight"],
            headerFault: fault[prefix + "header"],
            textFault: fault[prefix + "text"],
            imageFault: fault[prefix + "image"],
            closesAfterFault: fault[prefix + "closesAfter"],
            languages: InAppLanguages(content, prefix: prefix, context: context)
        )
    }

    private static func button(
        _ prefix: String,
        _ index: Int,
        _ button: InAppForm.Button,
        _ fault: [String: String],
        _ words: Words
    ) -> Button {
        let label = words("in_app.button", ["number": words.number(index + 1)])
        return Button(
            prefix: prefix,
            label: label,
            id: button.id,
            text: button.text,
            textFault: fault[prefix + "text"],
            isUsed: !button.text.isEmpty || fault.keys.contains { $0.hasPrefix(prefix) },
            click: click(
                prefix,
                words("in_app.on_button_click", ["button": label]),
                button.click,
                fault,
                words
            ),
            colors: InAppForm.buttonSlots.map {
                color(prefix, $0, button.colors, fault, label, words)
            },
            hasColors: !button.colors.isEmpty
        )
    }

    private static func themes(
        _ prefix: String,
        _ colors: InAppForm.Colors,
        _ fault: [String: String],
        _ words: Words
    ) -> [Theme] {
        [
            ("light.", words("in_app.light"), colors.light),
            ("dark.", words("in_app.dark"), colors.dark),
        ]
        .map { name, label, colors in
            Theme(
                label: label,
                colors: InAppForm.Colors.slots.map {
                    color(prefix + name, $0, colors, fault, label, words)
                }
            )
        }
    }

    private static func click(
        _ prefix: String,
        _ label: String,
        _ click: InAppForm.Click,
        _ faults: [String: String],
        _ words: Words
    ) -> Click {
        Click(
            prefix: prefix,
            label: label,
            actions: InAppForm.ClickKind.allCases.map {
                FormChoice(
                    value: $0.rawValue,
                    label: words($0.wordKey),
                    isChosen: $0 == click.kind
                )
            },
            url: click.url,
            isInside: click.isInside,
            event: click.event,
            key: click.key,
            value: click.value,
            urlFault: faults[prefix + "url"],
            eventFault: faults[prefix + "event"],
            keyFault: faults[prefix + "key"]
        )
    }

    private static let slotKeys = [
        "background": "in_app.slot.background", "border": "in_app.slot.border",
        "close": "in_app.slot.close", "frame": "in_app.slot.frame",
        "header": "in_app.slot.header", "text": "in_app.slot.text",
    ]

    private static func color(
        _ prefix: String,
        _ slot: String,
        _ colors: [String: String],
        _ faults: [String: String],
        _ owner: String,
        _ words: Words
    ) -> Color {
        let name = prefix + slot + "Color"
        let value = colors[slot] ?? ""
        return Color(
            name: name,
            label: words(
                "in_app.color_of",
                ["slot": words(slotKeys[slot] ?? ""), "owner": owner]
            ),
            value: value,
            fault: faults[name]
        )
    }

    static func trigger(
        _ index: Int,
        _ trigger: InAppForm.Trigger,
        _ faults: [String: String],
        _ words: Words
    ) -> Trigger {
        let prefix = "t\(index)."
        let blank = InAppForm.Condition()
        return Trigger(
            prefix: prefix,
            number: index,
            position: index + 1,
            kinds: InAppForm.Trigger.Kind.allCases.map {
                FormChoice(
                    value: $0.rawValue,
                    label: words($0.wordKey),
                    isChosen: $0 == trigger.kind
                )
            },
            name: trigger.name,
            conditions: (trigger.conditions + [blank]).enumerated().map { position, condition in
                Condition(
                    property: condition.property,
                    tests: InAppMessageRules.PropertyFilter.Comparison.choices.map {
                        FormChoice(
                            value: $0.rawValue,
                            label: words($0.wordKey),
                            isChosen: $0 == condition.test
                        )
                    },
                    value: condition.value,
                    position: position + 1
                )
            },
            fault: faults[prefix + "name"]
        )
    }
}
