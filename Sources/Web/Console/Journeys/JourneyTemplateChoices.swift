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

    init(_ visit: Visit) {
        templateAction = ConsolePath.newJourney.path
        choices = JourneyTemplate.allCases.map {
            Choice(
                value: $0.rawValue,
                icon: $0.icon,
                label: visit.words($0.wordKey),
                help: visit.words($0.helpKey)
            )
        }
    }
}

/// The page on which a journey begins.
struct JourneyNewPage {
    let listAddress: String
    let templates: JourneyTemplateChoices

    init(_ visit: Visit) {
        listAddress = ConsolePath.journeys.path
        templates = JourneyTemplateChoices(visit)
    }
}
