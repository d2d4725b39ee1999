import WebPages

/// The frame around every page: navigation, member, language and the notice of what just happened.
struct Shell {
    let title: String
    let languageTag: String
    let navigation: [NavigationItem]
    let languages: [LanguageChoice]
    let languageAction: String
    let logoutAction: String
    let csrf: String
    let here: String
    let memberName: String
    let memberInitial: String
    let memberRole: String
    let workspaceName: String
    let phonesAddress: String?
    let notice: String?
    let homeAddress: String

    init(title: String, place: NavigationPlace, visit: Visit, site: ConsoleSite) {
        self.title = title
        languageTag = visit.words.language.rawValue
        navigation = NavigationPlace.allCases.map { item in
            NavigationItem(place: item, isCurrent: item == place, words: visit.words)
        }
        languages = LanguageChoice.all(current: visit.words.language)
        languageAction = ConsolePath.language.path
        logoutAction = ConsolePath.logout.path
        csrf = visit.csrf
        here = visit.address
        memberName = visit.member.name
        memberInitial = visit.member.name.first.map { String($0).uppercased() } ?? "?"
        memberRole = visit.words(visit.member.role.wordKey)
        workspaceName = visit.member.workspaceName
        phonesAddress = site.settings.phonesAddress
        notice = Notice(rawValue: visit.query["notice"]).map { visit.words($0.wordKey) }
        homeAddress = ConsolePath.overview.path
    }
}

/// The nouns of the navigation, in their order.
enum NavigationPlace: CaseIterable {
    case overview, push

    var wordKey: String {
        switch self {
        case .overview: "nav.overview"
        case .push: "nav.push"
        }
    }

    var icon: String {
        switch self {
        case .overview: "chart"
        case .push: "bell"
        }
    }

    var address: String {
        switch self {
        case .overview: ConsolePath.overview.path
        case .push: ConsolePath.pushHistory.path
        }
    }
}

struct NavigationItem {
    let label: String
    let address: String
    let icon: String
    let isCurrent: Bool

    init(place: NavigationPlace, isCurrent: Bool, words: Words) {
        label = words(place.wordKey)
        address = place.address
        icon = place.icon
        self.isCurrent = isCurrent
    }
}

struct LanguageChoice {
    let tag: String
    let name: String
    let isCurrent: Bool

    static func all(current: Language) -> [LanguageChoice] {
        Language.allCases.map {
            LanguageChoice(tag: $0.rawValue, name: $0.ownName, isCurrent: $0 == current)
        }
    }
}

/// What a page says after a form was done, by the name in the address.
enum Notice: String, CaseIterable {
    case pushSent = "push-sent"
    case pushScheduled = "push-scheduled"
    case pushCancelled = "push-cancelled"
    case pushTooLate = "push-too-late"

    var wordKey: String {
        switch self {
        case .pushSent: "notice.push_sent"
        case .pushScheduled: "notice.push_scheduled"
        case .pushCancelled: "notice.push_cancelled"
        case .pushTooLate: "notice.push_too_late"
        }
    }
}

extension MemberRole {
    var wordKey: String {
        switch self {
        case .viewer: "role.viewer"
        case .marketer: "role.marketer"
        case .administrator: "role.administrator"
        }
    }
}
