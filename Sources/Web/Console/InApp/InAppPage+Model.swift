import Foundation
import WebPages

/// The page on which an in-app message is written.
struct InAppPage {
    struct Choice {
        let value: String
        let label: String
        var help = ""
        let isChosen: Bool
    }

    struct Fault {
        let field: String
        let text: String
    }

    /// What a tap does, with the beginning of its fields' names.
    struct Click {
        let prefix: String
        let label: String
        let actions: [Choice]
        let url: String
        let isInside: Bool
        let event: String
        let key: String
        let value: String
        let urlFault: String?
        let eventFault: String?
        let keyFault: String?
    }

    struct Color {
        let name: String
        let label: String
        let value: String
        /// What a browser's picker shows, which knows no transparency.
        let plain: String
        let fault: String?
    }

    struct Button {
        let prefix: String
        let label: String
        let id: String
        let text: String
        let textFault: String?
        let click: Click
        let colors: [Color]
        let hasColors: Bool
    }

    struct Condition {
        let property: String
        let tests: [Choice]
        let value: String
        let position: Int
    }

    struct Trigger {
        let prefix: String
        let number: Int
        let position: Int
        let kinds: [Choice]
        let name: String
        let conditions: [Condition]
        let fault: String?
    }

    struct Theme {
        let label: String
        let colors: [Color]
    }

    let heading: String
    let form: InAppForm
    let composer: PushComposerPage
    let faults: [Fault]
    let hasFaults: Bool
    /// What is wrong with a field, by its name.
    let fault: [String: String]
    let kinds: [Choice]
    let orientations: [Choice]
    let click: Click
    let buttons: [Button]
    let themes: [Theme]
    let hasColors: Bool
    let triggers: [Trigger]
    let delayUnits: [Choice]
    let often: [Choice]
    let intervalUnits: [Choice]
    let zoneHelp: String
    let hasMore: Bool
    let frame: InAppFrame
    /// The script posts the page that is being written.
    let htmlAddress: String? = nil
    let messageID: String
    let isActive: Bool
    let saveAddress: String
    let previewAddress: String
    let pageAddress: String
    let reachAddress: String
    let listAddress: String

    init(
        _ form: InAppForm,
        known: InAppRow?,
        preview: InAppPreview,
        composer: PushComposerPage,
        faults: [InAppFault],
        visit: Visit
    ) {
        let words = visit.words
        self.form = form
        self.composer = composer
        heading = known?.name ?? words("in_app.new")
        self.faults = faults.map { Fault(field: $0.field, text: words.said($0.text)) }
        let fault = Dictionary(
            self.faults.map { ($0.field, $0.text) },
            uniquingKeysWith: { first, _ in first }
        )
        self.fault = fault
        hasFaults = !faults.isEmpty
        kinds = InAppKind.allCases.map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                help: words($0.helpKey),
                isChosen: $0 == form.kind
            )
        }
        orientations = InAppOrientation.allCases.map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == form.orientation
            )
        }
        click = Self.click("body.", words("in_app.on_click"), form.click, fault, words)
        buttons = form.buttons.enumerated().map { index, button in
            let prefix = "b\(index)."
            let label = words("in_app.button", ["number": words.number(index + 1)])
            return Button(
                prefix: prefix,
                label: label,
                id: button.id,
                text: button.text,
                textFault: fault[prefix + "text"],
                click: Self.click(
                    prefix,
                    words("in_app.on_button_click", ["button": label]),
                    button.click,
                    fault,
                    words
                ),
                colors: InAppForm.buttonSlots.map {
                    Self.color(prefix, $0, button.colors, fault, label, words)
                },
                hasColors: !button.colors.isEmpty
            )
        }
        themes = [("light", form.colors.light), ("dark", form.colors.dark)].map { name, colors in
            let label = words(name == "light" ? "in_app.light" : "in_app.dark")
            return Theme(
                label: label,
                colors: InAppColors.slots.map {
                    Self.color(name + ".", $0, colors, fault, label, words)
                }
            )
        }
        hasColors = form.colors != InAppColors()
        triggers = form.triggers.enumerated().map { Self.trigger($0, $1, fault, words) }
        delayUnits = Self.units(form.delayUnit, words)
        intervalUnits = Self.units(form.intervalUnit, words)
        often = InAppForm.Often.allCases.map {
            Choice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == form.often)
        }
        zoneHelp = words("compose.deliver_at_help", ["zone": visit.zone.identifier])
        hasMore =
            !form.language.isEmpty || form.orientation != .any || !form.closesAfter.isEmpty
            || !form.push.pairs.isEmpty
        frame = InAppFrame(preview, visit: visit)
        messageID = known?.id ?? ""
        isActive = known?.phase == .active
        saveAddress = ConsolePath.saveInApp.path
        previewAddress = ConsolePath.previewInApp.path
        pageAddress = ConsolePath.inAppPage.path
        reachAddress = ConsolePath.inAppReach.path
        listAddress =
            known.map { ConsolePath.inAppMessage($0.id).path } ?? ConsolePath.inApp.path
    }

    private static func units(_ chosen: InAppForm.Unit, _ words: Words) -> [Choice] {
        InAppForm.Unit.allCases.map {
            Choice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == chosen)
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
                Choice(
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
        let isColor = value.hasPrefix("#") && value.dropFirst().allSatisfy(\.isHexDigit)
        let digits = value.dropFirst().suffix(6)
        return Color(
            name: name,
            label: words(
                "in_app.color_of",
                ["slot": words(slotKeys[slot] ?? ""), "owner": owner]
            ),
            value: value,
            plain: isColor && digits.count == 6 ? "#\(digits.lowercased())" : "#ffffff",
            fault: faults[name]
        )
    }

    private static func trigger(
        _ index: Int,
        _ trigger: InAppForm.Trigger,
        _ faults: [String: String],
        _ words: Words
    ) -> Trigger {
        let prefix = "t\(index)."
        let blank = InAppCondition(property: "", test: .equals, value: "")
        return Trigger(
            prefix: prefix,
            number: index,
            position: index + 1,
            kinds: InAppTrigger.Kind.allCases.map {
                Choice(
                    value: $0.rawValue,
                    label: words($0.wordKey),
                    isChosen: $0 == trigger.kind
                )
            },
            name: trigger.name,
            conditions: (trigger.conditions + [blank]).enumerated().map { position, condition in
                Condition(
                    property: condition.property,
                    tests: InAppCondition.Test.allCases.map {
                        Choice(
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
