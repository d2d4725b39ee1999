import Model

extension FormDraft.Kind {
    /// The folder of the pages of this kind.
    var folder: String {
        switch self {
        case .push: ConsolePath.pushHistory.path
        case .campaign: ConsolePath.campaigns.path
        case .segment: ConsolePath.segments.path
        case .news: ConsolePath.news.path
        case .inApp: ConsolePath.inApp.path
        case .journey: ConsolePath.journeys.path
        }
    }

    var list: ConsolePath {
        switch self {
        case .push: .pushHistory
        case .campaign: .campaigns
        case .segment: .segments
        case .news: .news
        case .inApp: .inApp
        case .journey: .journeys
        }
    }

    /// The page of a draft's outcome.
    func page(of outcome: String) -> ConsolePath {
        switch self {
        case .push: .push(outcome)
        case .campaign: .campaign(outcome)
        case .segment: .segment(outcome)
        case .news: .newsItem(outcome)
        case .inApp: .inAppMessage(outcome)
        case .journey: .journey(outcome)
        }
    }

    /// The fields for a draft's title in lists: the first one that is not empty.
    var titleFields: [String] {
        switch self {
        case .push: ["title", "message"]
        case .news: ["title"]
        case .campaign, .segment, .inApp, .journey: ["name"]
        }
    }
}
