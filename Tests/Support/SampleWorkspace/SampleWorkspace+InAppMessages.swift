import Foundation
import Model
import NoroshiWire
import Ports

extension SampleWorkspace {
    /// In-app messages: the first is shown, the second is paused, the third is a draft.
    func addInAppMessages() async throws {
        try await add(
            1,
            "A tea for a new guest",
            .active,
            welcome(),
            variants(),
            goal: .purchase(product: nil)
        )
        try await add(2, "秋のアンケート", .paused, page())
        try await add(3, "Novo horário de sábado", .draft, strip(), audience: [SegmentID(1)])
        for number in 4..<max(4, size.inAppMessages + 1) {
            let state: InAppMessageDefinition.State = number % 3 == 0 ? .archived : .active
            try await add(number, "Welcome #\(number)", state, welcome())
        }
        try await report()
    }

    private func add(
        _ number: Int,
        _ name: String,
        _ state: InAppMessageDefinition.State,
        _ message: InAppMessage,
        _ experiment: InAppExperiment = InAppExperiment(),
        goal: EventMatch.Kind? = nil,
        audience segments: [SegmentID] = []
    ) async throws {
        var message = message
        message.id = Self.name(number)
        try await store.createInAppMessage(
            InAppMessageDefinition(
                id: Self.id(number),
                workspace: workspace,
                name: name,
                state: state,
                audience: SegmentQuery(segments: segments),
                message: message,
                experiment: experiment,
                goal: goal.map { ConversionEvent(event: EventMatch($0)) },
                createdAt: before(2 * 86_400 - Double(number)),
                updatedAt: before(86_400)
            )
        )
    }

    private func welcome() -> InAppMessage {
        var message = InAppMessage(
            id: "",
            kind: .modal,
            message: "ようこそ！ Show this at the counter and the first cup is on us.",
            rules: InAppMessageRules(triggers: [
                .event(
                    name: "menu_viewed",
                    filters: [.init("visits", .less, .integer(3))]
                ),
                .sessionStart,
            ])
        )
        message.header = "Welcome, {{${first_name} | default: 'dear guest'}}"
        message.imageURL = "https://aoi.example/pictures/first-cup.jpg"
        message.imageAltText = "A cup of sencha"
        message.buttons = [
            .init(
                id: "0",
                text: "Show the menu",
                clickAction: .url("teahouse://menu", useWebView: false),
                colors: ["background": "#FF1F7A4D", "text": "#FFFFFFFF"]
            ),
            .init(id: "1", text: "Tell me news", clickAction: .requestPushPermission),
        ]
        message.themes = [
            "light": ["background": "#FFFFF8EE", "header": "#FF1F7A4D"],
            "dark": ["background": "#FF17261E"],
        ]
        message.extras = ["view_type": "picker"]
        return message
    }

    /// A slideup beside the card, and a control group.
    private func variants() -> InAppExperiment {
        let other = InAppMessage(
            id: "",
            kind: .slideup,
            message: "The first cup is on us: show this at the counter.",
            rules: welcome().rules
        )
        return InAppExperiment(controlShare: 10, weights: [1, 1], others: [other])
    }

    private func page() -> InAppMessage {
        InAppMessage(
            id: "",
            kind: .html,
            message: "<h1 style=\"color: #b03512\">How was it?</h1><a href=\"#\">More</a>",
            rules: InAppMessageRules(
                triggers: [.purchase(product: nil, filters: [])],
                impressionLimit: nil,
                intervalSeconds: 7 * 86_400
            )
        )
    }

    private func strip() -> InAppMessage {
        InAppMessage(
            id: "",
            kind: .slideup,
            message: "Aos sábados abrimos às 8 horas.",
            rules: InAppMessageRules(
                triggers: [.pushOpen],
                startsAtMilliseconds: Int64(now.timeIntervalSince1970 * 1000),
                expiresAtMilliseconds: Int64((now.timeIntervalSince1970 + 14 * 86_400) * 1000)
            )
        )
    }

    /// What phones have told of the first message.
    private func report() async throws {
        for number in 1...min(size.users, 40) where number % 5 != 0 {
            let time = before(Double(number) * 700)
            let message = Self.name(1)
            var told = [
                SDKRecord.InAppMessageInteraction(
                    kind: .impression,
                    message: message,
                    variant: "\(number % 2)"
                )
            ]
            switch number % 4 {
            case 0:
                told.append(
                    .init(
                        kind: .button,
                        message: message,
                        button: "\(number / 4 % 2)",
                        variant: "\(number % 2)"
                    )
                )
            case 1: told.append(.init(kind: .dismissed, message: message, variant: "1"))
            default: break
            }
            let items = told.enumerated().map { index, interaction in
                item(
                    number,
                    at: time.addingTimeInterval(Double(index)),
                    .inAppMessage(interaction)
                )
            }
            try await ingest(items, from: try await source(number))
        }
    }
}
