import Foundation
import Model
import NoroshiWire

/// An in-app message of the sample year, and what guests do with it: each sees it once, in the group
/// that they are in for good.
struct SampleSurvey {
    private static let identifier = SampleYear.identifier(20)

    let firstDay: Int
    private var seen: Set<String> = []

    /// - Parameter day: On which it begins.
    init(from day: Int) { firstDay = day }

    func definition(in workspace: WorkspaceID, at now: Date) -> InAppMessageDefinition {
        InAppMessageDefinition(
            id: Self.identifier,
            workspace: workspace,
            name: "A taste of it",
            state: .active,
            message: message(
                header: "Not sure yet?",
                text: "Ask for a taste at the counter.",
                button: "Show the menu"
            ),
            experiment: InAppExperiment(
                controlShare: 10,
                weights: [1, 1],
                others: [
                    message(
                        header: "Try it today",
                        text: "A taste of any tea on the shelf is on us until closing time.",
                        button: "I would like to"
                    )
                ]
            ),
            goal: ConversionEvent(event: EventMatch(.purchase(product: nil)), window: 86_400),
            createdAt: now,
            updatedAt: now
        )
    }

    private func message(header: String, text: String, button: String) -> InAppMessage {
        var message = InAppMessage(
            id: Self.identifier.uuidString.lowercased(),
            kind: .modal,
            message: text,
            rules: InAppMessageRules(triggers: [.event(name: "tea_viewed", filters: [])])
        )
        message.header = header
        message.buttons = [.init(id: "0", text: button)]
        return message
    }

    /// What a phone tells of it on a visit on which a tea was looked at.
    mutating func reports(
        of person: SamplePerson,
        on day: Int,
        _ chance: inout SampleChance
    ) -> [SDKRecord.InAppMessageInteraction] {
        guard day >= firstDay, seen.insert(person.id).inserted else { return [] }
        let group = person.installation.uuid.15 % 20
        let variant = group < 2 ? InAppExperiment.controlName : group % 2 == 0 ? "0" : "1"
        func report(
            _ kind: SDKRecord.InAppMessageInteraction.Kind,
            _ button: String? = nil
        ) -> SDKRecord.InAppMessageInteraction {
            SDKRecord.InAppMessageInteraction(
                kind: kind,
                message: Self.identifier.uuidString.lowercased(),
                button: button,
                variant: variant
            )
        }
        guard group >= 2 else { return [report(.impression)] }
        if chance.happens(variant == "0" ? 0.12 : 0.19) {
            return [report(.impression), report(.button, "0")]
        }
        return [report(.impression), report(.dismissed)]
    }
}
