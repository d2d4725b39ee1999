import Facts
import Foundation
import Model
import WebPages

/// The addresses that get what happened, and how far each has come.
struct FactsPage {
    enum Step: String {
        case pause, resume, delete, reveal
    }

    struct Webhook {
        let id: String
        let name: String
        let address: String
        let state: String
        let isDead: Bool
        let lag: String
        let delivered: Moment?
        let problem: String?
        /// What can be done next: pause, or resume.
        let step: String
        let stepLabel: String
        let deleteQuestion: String
    }

    let webhooks: [Webhook]
    let isEmpty: Bool
    let name: SettingsField
    let url: SettingsField
    let secret: String?
    let action: String
    let stepAction: String
    let isAdding: Bool
    let fromBeginning: Bool

    init(
        _ all: [FactWebhookService.Status],
        secret: String?,
        faults: [FormFieldError],
        context: ConsoleContext
    ) {
        webhooks = all.map { status in
            let webhook = status.webhook
            let isActive = webhook.state == .active
            return Webhook(
                id: webhook.id.uuidString.lowercased(),
                name: webhook.name,
                address: webhook.address,
                state: context.words(webhook.state.wordKey),
                isDead: webhook.state == .dead,
                lag: context.words.number(Int(status.lag)),
                delivered: webhook.deliveredAt.map(context.moment),
                problem: webhook.problem.map {
                    context.words("facts.problem", ["problem": context.words($0)])
                },
                step: (isActive ? Step.pause : .resume).rawValue,
                stepLabel: context.words(isActive ? "facts.pause" : "facts.resume"),
                deleteQuestion: context.words("facts.delete_confirm", ["name": webhook.name])
            )
        }
        isEmpty = all.isEmpty
        name = SettingsField("name", context, faults)
        url = SettingsField("url", context, faults)
        self.secret = secret
        action = ConsolePath.facts.path
        stepAction = ConsolePath.factWebhookStep.path
        isAdding = isEmpty || !faults.isEmpty
        fromBeginning =
            !faults.isEmpty
            && context.form["start"] == FactWebhookService.Start.beginning.rawValue
    }
}

extension FactWebhook.State {
    fileprivate var wordKey: String {
        switch self {
        case .active: "facts.active"
        case .paused: "facts.paused"
        case .dead: "facts.dead"
        }
    }
}
