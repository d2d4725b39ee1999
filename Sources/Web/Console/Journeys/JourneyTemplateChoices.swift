import WebPages

/// The templates as the choices of a form.
struct JourneyTemplateChoices {
    struct Choice {
        let value: String
        let icon: String
        let label: String
        let help: String
    }

    let templateAction: String
    let choices: [Choice]

    init(_ context: ConsoleContext) {
        templateAction = ConsolePath.newJourney.path
        choices = JourneyTemplate.allCases.map {
            Choice(
                value: $0.rawValue,
                icon: $0.icon,
                label: context.words($0.wordKey),
                help: context.words($0.helpKey)
            )
        }
    }
}

/// The page on which a journey begins.
struct JourneyNewPage {
    let listAddress: String
    let templates: JourneyTemplateChoices

    init(_ context: ConsoleContext) {
        listAddress = ConsolePath.journeys.path
        templates = JourneyTemplateChoices(context)
    }
}
