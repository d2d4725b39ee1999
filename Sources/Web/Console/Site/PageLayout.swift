import Accounts
import Model
import WebPages

/// The frame around every page: navigation, member, language and the notice of the last action.
struct PageLayout {
    /// Maximum number of items in the bar at the bottom of a phone.
    private static let barLimit = 5

    let title: String
    let languageTag: String
    let navigation: [NavigationItem]
    /// The items that do not fit into a phone's bar; they are shown in a sheet above it.
    let further: [NavigationItem]
    let hasFurther: Bool
    let languageMenu: LanguageMenu
    let logoutAction: String
    let csrf: String
    let memberName: String
    let memberInitial: String
    let memberRole: String
    let workspaceName: String
    /// `nil` for members of one workspace.
    let workspaceMenu: WorkspaceMenu?
    let color: String
    let accountAddress: String
    let phonesAddress: String?
    let phoneGuestsAddress: String?
    let notice: String?
    let file: FileNotice?
    let homeAddress: String
    let paletteAddress: String

    init(title: String, place: NavigationSection?, context: ConsoleContext, site: ConsoleRenderer) {
        self.title = title
        languageTag = context.words.language.rawValue
        let places = NavigationSection.available(to: context)
        navigation = places.enumerated().map { index, item in
            NavigationItem(
                place: item,
                isCurrent: item == place,
                isFurther: places.count > Self.barLimit && index >= Self.barLimit - 1,
                words: context.words
            )
        }
        further = navigation.filter(\.isFurther)
        hasFurther = !further.isEmpty
        languageMenu = LanguageMenu(current: context.words.language, back: context.address)
        logoutAction = ConsolePath.logout.path
        csrf = context.csrf
        memberName = context.member.name
        memberInitial = context.member.name.first.map { String($0).uppercased() } ?? "?"
        memberRole = context.words(context.member.role.wordKey)
        workspaceName = context.home.name
        workspaceMenu = context.workspaces.count > 1 ? WorkspaceMenu(context) : nil
        color = context.home.color.rawValue
        accountAddress = ConsolePath.account.path
        phonesAddress = site.settings.phonesAddress
        phoneGuestsAddress = site.settings.phoneGuestsAddress
        notice = FlashMessage(rawValue: context.query["notice"]).map { context.words($0.wordKey) }
        file = context.file
        homeAddress = ConsolePath.overview.path
        paletteAddress = ConsolePath.palette.path
    }
}

/// The sections of the navigation, in order.
enum NavigationSection: CaseIterable {
    case overview, push, campaigns, journeys, inApp, news, segments, users, events, reports,
        settings

    static func available(to context: ConsoleContext) -> [NavigationSection] {
        allCases.filter { $0 != .settings || context.hasRole(atLeast: .administrator) }
    }

    var wordKey: String {
        switch self {
        case .overview: "nav.overview"
        case .push: "nav.push"
        case .campaigns: "nav.campaigns"
        case .journeys: "nav.journeys"
        case .inApp: "nav.in_app"
        case .news: "nav.news"
        case .segments: "nav.segments"
        case .users: "nav.users"
        case .events: "nav.events"
        case .reports: "nav.reports"
        case .settings: "nav.settings"
        }
    }

    var icon: String {
        switch self {
        case .overview: "chart"
        case .push: "bell"
        case .campaigns: "campaign"
        case .journeys: "journey"
        case .inApp: "in-app"
        case .news: "news"
        case .segments: "segment"
        case .users: "people"
        case .events: "event"
        case .reports: "report"
        case .settings: "gear"
        }
    }

    var address: String {
        switch self {
        case .overview: ConsolePath.overview.path
        case .push: ConsolePath.pushHistory.path
        case .campaigns: ConsolePath.campaigns.path
        case .journeys: ConsolePath.journeys.path
        case .inApp: ConsolePath.inApp.path
        case .news: ConsolePath.news.path
        case .segments: ConsolePath.segments.path
        case .users: ConsolePath.users.path
        case .events: ConsolePath.events.path
        case .reports: ConsolePath.funnelReport.path
        case .settings: ConsolePath.settings.path
        }
    }
}

struct NavigationItem {
    let label: String
    let address: String
    let icon: String
    let isCurrent: Bool
    let isFurther: Bool

    init(place: NavigationSection, isCurrent: Bool, isFurther: Bool, words: Words) {
        label = words(place.wordKey)
        address = place.address
        icon = place.icon
        self.isCurrent = isCurrent
        self.isFurther = isFurther
    }
}

/// The workspaces of a member, each with the way to it.
struct WorkspaceMenu {
    struct Choice {
        let id: String
        let name: String
        let role: String
        let color: String
        let isCurrent: Bool
    }

    let action = ConsolePath.switchWorkspace.path
    let current: String
    let choices: [Choice]

    init(_ context: ConsoleContext) {
        current = context.home.name
        choices = context.workspaces.map {
            Choice(
                id: "\($0.workspace.id)",
                name: $0.workspace.name,
                role: context.words($0.role.wordKey),
                color: $0.workspace.settings.color.rawValue,
                isCurrent: $0.workspace.id == context.workspace
            )
        }
    }
}

/// The languages of a page, with the address of each.
struct LanguageMenu {
    struct Choice {
        let tag: String
        let name: String
        let isCurrent: Bool
    }

    let action = ConsolePath.language.path
    let back: String
    let choices: [Choice]

    init(current: Language, back: String) {
        self.back = back
        choices = Language.allCases.map {
            Choice(tag: $0.rawValue, name: $0.ownName, isCurrent: $0 == current)
        }
    }
}

/// The notice on a page after a form was submitted, by its name in the address.
enum FlashMessage: String, CaseIterable {
    case draftChanged = "draft-changed"
    case draftCopied = "draft-copied"
    case draftDiscarded = "draft-discarded"
    case pushSent = "push-sent"
    case pushScheduled = "push-scheduled"
    case pushCancelled = "push-cancelled"
    case pushTakenBack = "push-taken-back"
    case pushMoved = "push-moved"
    case campaignSaved = "campaign-saved"
    case campaignActivated = "campaign-activated"
    case campaignPaused = "campaign-paused"
    case campaignStopped = "campaign-stopped"
    case campaignArchived = "campaign-archived"
    case campaignMoved = "campaign-moved"
    case calendarMoved = "calendar-moved"
    case journeySaved = "journey-saved"
    case journeyPublished = "journey-published"
    case journeyPaused = "journey-paused"
    case journeyResumed = "journey-resumed"
    case journeyDrained = "journey-drained"
    case journeyStopped = "journey-stopped"
    case journeyArchived = "journey-archived"
    case journeyMoved = "journey-moved"
    case journeyTried = "journey-tried"
    case journeyNothingTried = "journey-nothing-tried"
    case pushChanged = "push-changed"
    case pushPaused = "push-paused"
    case pushResumed = "push-resumed"
    case limitsSaved = "limits-saved"
    case reportSaved = "report-saved"
    case reportDeleted = "report-deleted"
    case controlGroupSaved = "control-group-saved"
    case memberChanged = "member-changed"
    case memberRemoved = "member-removed"
    case contentBlockSaved = "block-saved"
    case contentBlockDeleted = "block-deleted"
    case catalogSaved = "catalog-saved"
    case catalogDeleted = "catalog-deleted"
    case inAppSaved = "in-app-saved"
    case inAppActivated = "in-app-activated"
    case inAppPaused = "in-app-paused"
    case inAppArchived = "in-app-archived"
    case inAppMoved = "in-app-moved"
    case newsSaved = "news-saved"
    case newsPublished = "news-published"
    case newsScheduled = "news-scheduled"
    case newsDeleted = "news-deleted"
    case nameBlocked = "name-blocked"
    case nameAllowed = "name-allowed"
    case segmentSaved = "segment-saved"
    case segmentDeleted = "segment-deleted"
    case listSaved = "list-saved"
    case userSaved = "user-saved"
    case userDeleted = "user-deleted"
    case listDeleted = "list-deleted"
    case appAdded = "app-added"
    case credentialsSaved = "credentials-saved"
    case keyRevoked = "key-revoked"
    case memberAdded = "member-added"
    case workspaceSaved = "workspace-saved"
    case workspaceCreated = "workspace-created"
    case knownMemberAdded = "known-member-added"
    case passwordChanged = "password-changed"
    case passkeyAdded = "passkey-added"
    case passkeyRemoved = "passkey-removed"
    case sessionsEnded = "sessions-ended"
    case secondFactorRemoved = "second-factor-removed"
    case filesReleased = "files-released"
    case singleSignOnSaved = "single-sign-on-saved"
    case singleSignOnRemoved = "single-sign-on-removed"
    case memberReleased = "member-released"

    /// A page's address with this notice.
    func address(_ path: ConsolePath) -> String {
        path.query(FormFields([("notice", rawValue)]))
    }

    var wordKey: String {
        switch self {
        case .draftChanged: "notice.draft_changed"
        case .draftCopied: "notice.draft_copied"
        case .draftDiscarded: "notice.draft_discarded"
        case .pushSent: "notice.push_sent"
        case .pushScheduled: "notice.push_scheduled"
        case .pushCancelled: "notice.push_cancelled"
        case .pushTakenBack: "notice.push_taken_back"
        case .pushMoved: "notice.push_moved"
        case .campaignSaved: "notice.campaign_saved"
        case .campaignActivated: "notice.campaign_activated"
        case .campaignPaused: "notice.campaign_paused"
        case .campaignStopped: "notice.campaign_stopped"
        case .campaignArchived: "notice.campaign_archived"
        case .campaignMoved: "notice.campaign_moved"
        case .calendarMoved: "notice.calendar_moved"
        case .journeySaved: "notice.journey_saved"
        case .journeyPublished: "notice.journey_published"
        case .journeyPaused: "notice.journey_paused"
        case .journeyResumed: "notice.journey_resumed"
        case .journeyDrained: "notice.journey_drained"
        case .journeyStopped: "notice.journey_stopped"
        case .journeyArchived: "notice.journey_archived"
        case .journeyMoved: "notice.journey_moved"
        case .journeyTried: "notice.journey_tried"
        case .journeyNothingTried: "notice.journey_nothing_tried"
        case .pushChanged: "notice.push_changed"
        case .pushPaused: "notice.push_paused"
        case .pushResumed: "notice.push_resumed"
        case .limitsSaved: "notice.limits_saved"
        case .reportSaved: "notice.report_saved"
        case .reportDeleted: "notice.report_deleted"
        case .controlGroupSaved: "notice.control_group_saved"
        case .memberChanged: "notice.member_changed"
        case .memberRemoved: "notice.member_removed"
        case .contentBlockSaved: "notice.block_saved"
        case .contentBlockDeleted: "notice.block_deleted"
        case .catalogSaved: "notice.catalog_saved"
        case .catalogDeleted: "notice.catalog_deleted"
        case .inAppSaved: "notice.in_app_saved"
        case .inAppActivated: "notice.in_app_activated"
        case .inAppPaused: "notice.in_app_paused"
        case .inAppArchived: "notice.in_app_archived"
        case .inAppMoved: "notice.in_app_moved"
        case .newsSaved: "notice.news_saved"
        case .newsPublished: "notice.news_published"
        case .newsScheduled: "notice.news_scheduled"
        case .newsDeleted: "notice.news_deleted"
        case .nameBlocked: "notice.name_blocked"
        case .nameAllowed: "notice.name_allowed"
        case .segmentSaved: "notice.segment_saved"
        case .segmentDeleted: "notice.segment_deleted"
        case .listSaved: "notice.list_saved"
        case .userSaved: "notice.user_saved"
        case .userDeleted: "notice.user_deleted"
        case .listDeleted: "notice.list_deleted"
        case .appAdded: "notice.app_added"
        case .credentialsSaved: "notice.credentials_saved"
        case .keyRevoked: "notice.key_revoked"
        case .memberAdded: "notice.member_added"
        case .workspaceSaved: "notice.workspace_saved"
        case .workspaceCreated: "notice.workspace_created"
        case .knownMemberAdded: "notice.known_member_added"
        case .passwordChanged: "notice.password_changed"
        case .passkeyAdded: "notice.passkey_added"
        case .passkeyRemoved: "notice.passkey_removed"
        case .sessionsEnded: "notice.sessions_ended"
        case .secondFactorRemoved: "notice.second_factor_removed"
        case .filesReleased: "notice.files_released"
        case .singleSignOnSaved: "notice.single_sign_on_saved"
        case .singleSignOnRemoved: "notice.single_sign_on_removed"
        case .memberReleased: "notice.member_released"
        }
    }
}

extension Member.Role {
    var wordKey: String {
        switch self {
        case .viewer: "role.viewer"
        case .marketer: "role.marketer"
        case .administrator: "role.administrator"
        }
    }
}
