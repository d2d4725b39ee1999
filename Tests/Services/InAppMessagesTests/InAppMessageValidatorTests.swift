import Campaigns
import Foundation
import Model
import NoroshiWire
import Testing

@testable import InAppMessages

@Suite("An in-app message is checked when it is saved")
struct InAppMessageValidatorTests {
    /// The fields at fault after `change` to a message that is right.
    private func fields(_ change: (inout InAppMessageDefinition) -> Void) -> [String] {
        let id = UUID()
        let rules = InAppMessageRules(triggers: [.sessionStart])
        var stored = InAppMessageDefinition(
            id: id,
            workspace: WorkspaceID(1),
            name: "Tasting",
            state: .draft,
            message: InAppMessage(
                id: id.uuidString,
                kind: .modal,
                message: "How was it?",
                rules: rules
            ),
            createdAt: Date(timeIntervalSince1970: 0),
            updatedAt: Date(timeIntervalSince1970: 0)
        )
        change(&stored)
        return InAppMessageValidator.problems(stored).map(\.field)
    }

    private func other() -> InAppMessage {
        InAppMessage(
            id: "other",
            kind: .modal,
            message: "Well?",
            rules: InAppMessageRules(triggers: [.sessionStart])
        )
    }

    @Test("what a tap opens has a scheme that an app can open, or a template in its place")
    func addresses() {
        func fields(_ address: String) -> [String] {
            self.fields {
                let action = InAppMessage.ClickAction.url(address, useWebView: false)
                $0.message.clickAction = action
                $0.message.buttons = [
                    InAppMessage.Button(id: "0", text: "No"),
                    InAppMessage.Button(id: "1", text: "Yes", clickAction: action),
                ]
            }
        }
        #expect(fields("myapp://tea") == [])
        #expect(fields("{{ link }}") == [])
        for address in ["example.com", "javascript:alert(1)"] {
            #expect(
                fields(address) == [
                    "message.click_action.url", "message.buttons.1.click_action.url",
                ]
            )
        }
    }

    @Test("names, texts and what goes with them may be as long as their limits, not longer")
    func texts() {
        #expect(fields { _ in } == [])
        for (count, isTaken) in [(0, false), (1, true), (250, true), (251, false)] {
            #expect(
                fields { $0.name = String(repeating: "茶", count: count) }
                    == (isTaken ? [] : ["name"])
            )
        }
        let longest = String(repeating: "a", count: 100 * 1024)
        #expect(fields { $0.message.message = longest } == [])
        #expect(fields { $0.message.message = longest + "a" } == ["message.message"])
        #expect(fields { $0.message.message = "" } == ["message.message"])
        #expect(fields { $0.message.kind = .modalImage } == ["message.image_url"])
        func extras(_ count: Int) -> [String: String] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "") })
        }
        #expect(fields { $0.message.extras = extras(50) } == [])
        #expect(fields { $0.message.extras = extras(51) } == ["message.extras"])
    }

    @Test("it closes by itself after more than nothing and at most a day")
    func closing() {
        for (seconds, isTaken) in [(0, false), (0.5, true), (86_400, true), (86_401, false)] {
            #expect(
                fields { $0.message.closesAfterSeconds = seconds }
                    == (isTaken ? [] : ["message.closes_after_seconds"]),
                "\(seconds)"
            )
        }
    }

    @Test("an experiment has up to seven other contents, a weight for each, and a control group")
    func experiments() {
        func experiment(_ share: Int, _ weights: [Int], others: Int) -> [String] {
            fields {
                $0.experiment = InAppExperiment(
                    controlShare: share,
                    weights: weights,
                    others: Array(repeating: other(), count: others)
                )
            }
        }
        for (share, isTaken) in [(-1, false), (0, true), (99, true), (100, false)] {
            #expect(
                experiment(share, [1], others: 0) == (isTaken ? [] : ["experiment.control_share"])
            )
        }
        #expect(experiment(0, Array(repeating: 1, count: 8), others: 7) == [])
        #expect(
            experiment(0, Array(repeating: 1, count: 9), others: 8) == ["experiment.others"]
        )
        #expect(experiment(0, [1], others: 1) == ["experiment.weights"])
        #expect(experiment(0, [1, 1, 1], others: 1) == ["experiment.weights"])
        #expect(experiment(0, [0, 0], others: 1) == ["experiment.weights"])
        #expect(experiment(0, [0, 1_000], others: 1) == [])
        #expect(experiment(0, [1, 1_001], others: 1) == ["experiment.weights"])
        #expect(experiment(0, [1, -1], others: 1) == ["experiment.weights"])
    }

    @Test("its rules have limits, the ends of which belong to them")
    func rules() {
        func rules(_ change: (inout InAppMessageRules) -> Void) -> [String] {
            fields { change(&$0.message.rules) }
        }
        func triggers(_ count: Int) -> [InAppMessageRules.Trigger] {
            Array(repeating: .sessionStart, count: count)
        }
        #expect(rules { $0.triggers = triggers(10) } == [])
        for count in [0, 11] {
            #expect(rules { $0.triggers = triggers(count) } == ["message.rules.triggers"])
        }
        for (count, isTaken) in [(0, false), (255, true), (256, false)] {
            let name = String(repeating: "a", count: count)
            #expect(
                rules { $0.triggers = [.event(name: name, filters: [])] }
                    == (isTaken ? [] : ["message.rules.triggers.0.name"])
            )
        }
        for (delay, isTaken) in [(-1.0, false), (0, true), (86_400, true), (86_401, false)] {
            #expect(
                rules { $0.delaySeconds = delay }
                    == (isTaken ? [] : ["message.rules.delay_seconds"])
            )
        }
        for (limit, isTaken) in [(0, false), (1, true), (1_000, true), (1_001, false)] {
            #expect(
                rules { $0.impressionLimit = limit }
                    == (isTaken ? [] : ["message.rules.impression_limit"])
            )
        }
        let year = 366 * 86_400.0
        for (pause, isTaken) in [(-1, false), (0, true), (year, true), (year + 1, false)] {
            #expect(
                rules { $0.intervalSeconds = pause }
                    == (isTaken ? [] : ["message.rules.interval_seconds"])
            )
        }
        for (end, isTaken) in [(999, false), (1_000, false), (1_001, true)] as [(Int64, Bool)] {
            #expect(
                rules {
                    $0.startsAtMilliseconds = 1_000
                    $0.expiresAtMilliseconds = end
                } == (isTaken ? [] : ["message.rules.expires_at_ms"])
            )
        }
    }

    @Test("each kind needs what it shows: a text, a picture, or both")
    func kinds() {
        for kind in InAppMessage.Kind.allCases where kind != .control {
            let isPicture = [.modalImage, .fullImage].contains(kind)
            let withText = fields { $0.message.kind = kind }
            #expect(withText == (isPicture ? ["message.image_url"] : []), "\(kind)")
            let withPicture = fields {
                $0.message.kind = kind
                $0.message.message = ""
                $0.message.imageURL = "https://example.com/tea.png"
            }
            #expect(withPicture == (isPicture ? [] : ["message.message"]), "\(kind)")
        }
        #expect(
            fields {
                $0.message.kind = .modalImage
                $0.message.imageURL = ""
            } == ["message.image_url"]
        )
    }

    @Test("a message has two buttons at most, each with an id of its own")
    func buttons() {
        func buttons(_ ids: [Int]) -> [String] {
            fields {
                $0.message.buttons = ids.map { InAppMessage.Button(id: "\($0)", text: "Tea") }
            }
        }
        #expect(buttons([]) == [])
        #expect(buttons([1]) == [])
        #expect(buttons([1, 2]) == [])
        #expect(buttons([1, 1]) == ["message.buttons"])
        #expect(buttons([1, 2, 3]) == ["message.buttons"])
    }

    @Test("a trigger has twenty filters at most, and is named by its place")
    func filters() {
        func rules(_ trigger: InAppMessageRules.Trigger) -> [String] {
            fields { $0.message.rules.triggers = [.sessionStart, trigger] }
        }
        let filter = InAppMessageRules.PropertyFilter("size", .exists)
        for (count, isTaken) in [(0, true), (20, true), (21, false)] {
            let filters = Array(repeating: filter, count: count)
            let expected = isTaken ? [] : ["message.rules.triggers.1.filters"]
            #expect(rules(.event(name: "brewed", filters: filters)) == expected)
            #expect(rules(.purchase(product: nil, filters: filters)) == expected)
        }
    }

    @Test("what is wrong with another variant is said under its own number")
    func variants() {
        func experiment(_ faulty: Int) -> [String] {
            fields {
                var others = [other(), other()]
                others[faulty].message = ""
                others[faulty].extras = Dictionary(
                    uniqueKeysWithValues: (0..<51).map { ("\($0)", "") }
                )
                $0.experiment = InAppExperiment(
                    controlShare: 0,
                    weights: [1, 1, 1],
                    others: others
                )
            }
        }
        #expect(experiment(0) == ["experiment.others.0.message", "experiment.others.0.extras"])
        #expect(experiment(1) == ["experiment.others.1.message", "experiment.others.1.extras"])
    }
}
