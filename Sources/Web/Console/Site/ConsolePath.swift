import Foundation
import Model
import WebPages

/// Every address of the console, shared by the router, the pages and the tests.
///
/// Cases with a text take the actual value, or `:name` in the router.
package enum ConsolePath: Sendable, Hashable {
    case overview
    case login, loginCode, logout, language, account, endSessions, secondFactor, secondFactorStep(
        String
    ),
        passwordLink(String)
    case loginOpenID(String), loginOpenIDReturn(String)
    case loginChallenge, loginPasskey, passkeys, passkeyChallenge, removePasskey(String),
        removeMemberPasskey(String, String)
    case pushHistory, exportPushes, newPush, reviewPush, sendPush, testPush, previewPush, pushReach,
        pushSample,
        everyPreview,
        pushChanges
    case draft(FormDraft.Kind, String), reviewDraft(FormDraft.Kind, String),
        discardDraft(FormDraft.Kind, String)
    case rehearsal(FormDraft.Kind, String), stopRehearsal(FormDraft.Kind, String),
        rehearsalText(FormDraft.Kind, String)
    case push(String), editPush(String), cancelPush(String), undoPush(String), pausePush(String),
        resumePush(String), recipients(String), exportRecipients(String),
        duplicatePush(String)
    case users, userChoices, user(String), why
    case eventDetail, attributeDetail
    case campaigns, calendar, moveOnCalendar, newCampaign, reviewCampaign, saveCampaign, campaign(
        String
    ),
        editCampaign(String), duplicateCampaign(String), campaignStep(String, String),
        activateCampaign(String), campaignConversion(String), exportExperiment(String)
    case journeys, newJourney, journey(String), editJourney(String), duplicateJourney(String),
        journeyAction(String, String), journeyPeople(String, String),
        journeyPerson(String, String), publishJourney
    case journeyChange(String), journeyRules(String), journeyAdd(String),
        journeyStep(String, String), journeyTrial(String)
    case contentBlocks, newContentBlock, contentBlock(String), deleteContentBlock(String)
    case catalogs, catalog(String), deleteCatalog(String), catalogItems(String),
        deleteCatalogItem(String, String)
    case inApp, newInApp, saveInApp, previewInApp, inAppReach, inAppPage, inAppMessage(String),
        editInApp(String), duplicateInApp(String), inAppStep(String, String), inAppUsers(String),
        inAppHTML(String), activateInApp(String)
    case news, newNews, newsItem(String), deleteNews(String)
    case events, attributes, blockName
    case funnelReport, retentionReport, seriesReport, pathsReport, controlGroupReport, reportFile(
        String
    ),
        savedReports, savedReport(String), savedReportFile(String, String), saveReport,
        deleteReport(String)
    case segments, newSegment, probeSegment, explainSegment, segmentOverlap, attributeValues,
        segmentUsers(String), segment(String), deleteSegment(String)
    case lists, renameList(String), deleteList(String)
    case settings, apps, appCredentials(String), testCredentials(String), apiKeys, revokeAPIKey,
        facts, factWebhookStep,
        team, limits, controlGroup, languages, auditLog, system, memberRole(String), removeMember(
            String
        ),
        workspace, workspaces, switchWorkspace, sdkAuthentication, sdkAuthenticationMode(String),
        appProof(String), makePasswordLink(String),
        member(String),
        endMemberSessions(String), removeSecondFactor(String), releaseMember(String),
        singleSignOn, trySingleSignOn, removeSingleSignOn,
        userTimeline(
            String
        ), userFigures(String), userSegments(String), editUser(String), deleteUser(String)
    case files, filesPatch, releaseFiles
    case palette

    package static let root = "/console"

    package var path: String {
        switch self {
        case .draft(let kind, let id): "\(kind.folder)/drafts/\(id)"
        case .reviewDraft(let kind, let id): "\(kind.folder)/drafts/\(id)/review"
        case .discardDraft(let kind, let id): "\(kind.folder)/drafts/\(id)/discard"
        case .rehearsal(let kind, let id): "\(kind.folder)/\(id)/rehearsal"
        case .stopRehearsal(let kind, let id): "\(kind.folder)/\(id)/rehearsal/stop"
        case .rehearsalText(let kind, let id): "\(kind.folder)/\(id)/rehearsal/text"
        default: Self.root + tail
        }
    }

    private var tail: String {
        switch self {
        case .overview: ""
        case .login: "/login"
        case .logout: "/logout"
        case .language: "/language"
        case .account: "/account"
        case .loginCode: "/login/code"
        case .loginOpenID(let workspace): "/login/openid/\(workspace)"
        case .loginOpenIDReturn(let workspace): "/login/openid/\(workspace)/return"
        case .loginChallenge: "/login/passkey/challenge"
        case .loginPasskey: "/login/passkey"
        case .passkeys: "/account/passkeys"
        case .passkeyChallenge: "/account/passkeys/challenge"
        case .removePasskey(let id): "/account/passkeys/\(id)/remove"
        case .removeMemberPasskey(let id, let key): "/settings/team/\(id)/passkeys/\(key)/remove"
        case .secondFactor: "/account/second-factor"
        case .secondFactorStep(let step): "/account/second-factor/\(step)"
        case .endSessions: "/account/sessions/end"
        case .passwordLink(let token): "/password/\(token)"
        case .pushHistory: "/push"
        case .exportPushes: "/push/export.csv"
        case .newPush: "/push/new"
        case .reviewPush: "/push/review"
        case .sendPush: "/push/send"
        case .testPush: "/push/test"
        case .previewPush: "/push/preview"
        case .pushSample: "/push/sample"
        case .everyPreview: "/push/previews"
        case .pushReach: "/push/reach"
        case .pushChanges: "/push/changes"
        case .push(let number): "/push/\(number)"
        case .editPush(let number): "/push/\(number)/edit"
        case .pausePush(let number): "/push/\(number)/pause"
        case .resumePush(let number): "/push/\(number)/resume"
        case .recipients(let number): "/push/\(number)/recipients"
        case .exportRecipients(let number): "/push/\(number)/recipients.csv"
        case .cancelPush(let number): "/push/\(number)/cancel"
        case .undoPush(let number): "/push/\(number)/undo"
        case .duplicatePush(let number): "/push/\(number)/duplicate"
        case .users: "/users"
        case .userChoices: "/users/choices"
        case .user(let id): "/users/\(id)"
        case .why: "/why"
        case .campaigns: "/campaigns"
        case .calendar: "/campaigns/calendar"
        case .moveOnCalendar: "/campaigns/calendar/move"
        case .newCampaign: "/campaigns/new"
        case .reviewCampaign: "/campaigns/review"
        case .saveCampaign: "/campaigns/save"
        case .campaign(let id): "/campaigns/\(id)"
        case .editCampaign(let id): "/campaigns/\(id)/edit"
        case .eventDetail: "/events/details"
        case .attributeDetail: "/attributes/details"
        case .duplicateCampaign(let id): "/campaigns/\(id)/duplicate"
        case .campaignStep(let id, let step): "/campaigns/\(id)/step/\(step)"
        case .activateCampaign(let id): "/campaigns/\(id)/activate"
        case .campaignConversion(let id): "/campaigns/\(id)/conversion"
        case .exportExperiment(let id): "/campaigns/\(id)/experiment.csv"
        case .journeys: "/journeys"
        case .newJourney: "/journeys/new"
        case .journey(let id): "/journeys/\(id)"
        case .editJourney(let id): "/journeys/\(id)/edit"
        case .duplicateJourney(let id): "/journeys/\(id)/duplicate"
        case .journeyAction(let id, let action): "/journeys/\(id)/action/\(action)"
        case .journeyPeople(let id, let step): "/journeys/\(id)/steps/\(step)"
        case .journeyPerson(let id, let user): "/journeys/\(id)/users/\(user)"
        case .publishJourney: "/journeys/publish"
        case .journeyChange(let draft): "/journeys/drafts/\(draft)/change"
        case .journeyRules(let draft): "/journeys/drafts/\(draft)/rules"
        case .journeyAdd(let draft): "/journeys/drafts/\(draft)/add"
        case .journeyStep(let draft, let step): "/journeys/drafts/\(draft)/steps/\(step)"
        case .journeyTrial(let draft): "/journeys/drafts/\(draft)/trial"
        case .contentBlocks: "/blocks"
        case .newContentBlock: "/blocks/new"
        case .contentBlock(let id): "/blocks/\(id)"
        case .deleteContentBlock(let id): "/blocks/\(id)/delete"
        case .catalogs: "/catalogs"
        case .catalog(let name): "/catalogs/\(name)"
        case .deleteCatalog(let name): "/catalogs/\(name)/delete"
        case .catalogItems(let name): "/catalogs/\(name)/items"
        case .deleteCatalogItem(let name, let item): "/catalogs/\(name)/items/\(item)/delete"
        case .inApp: "/in-app"
        case .newInApp: "/in-app/new"
        case .saveInApp: "/in-app/save"
        case .previewInApp: "/in-app/preview"
        case .inAppReach: "/in-app/reach"
        case .inAppPage: "/in-app/page"
        case .inAppMessage(let id): "/in-app/\(id)"
        case .activateInApp(let id): "/in-app/\(id)/activate"
        case .editInApp(let id): "/in-app/\(id)/edit"
        case .duplicateInApp(let id): "/in-app/\(id)/duplicate"
        case .inAppStep(let id, let step): "/in-app/\(id)/step/\(step)"
        case .inAppUsers(let id): "/in-app/\(id)/users"
        case .inAppHTML(let id): "/in-app/\(id)/page"
        case .news: "/news"
        case .newNews: "/news/new"
        case .newsItem(let id): "/news/\(id)"
        case .deleteNews(let id): "/news/\(id)/delete"
        case .events: "/events"
        case .funnelReport: "/reports"
        case .retentionReport: "/reports/retention"
        case .seriesReport: "/reports/series"
        case .pathsReport: "/reports/paths"
        case .controlGroupReport: "/reports/control-group"
        case .savedReports: "/reports/saved"
        case .savedReport(let id): "/reports/saved/\(id)"
        case .savedReportFile(let id, let format): "/reports/saved/\(id)/file/\(format)"
        case .deleteReport(let id): "/reports/saved/\(id)/delete"
        case .saveReport: "/reports/save"
        case .reportFile(let report): "/reports/files/\(report)"
        case .attributes: "/attributes"
        case .blockName: "/events/block"
        case .segments: "/segments"
        case .newSegment: "/segments/new"
        case .probeSegment: "/segments/probe"
        case .explainSegment: "/segments/explain"
        case .attributeValues: "/segments/values"
        case .segmentOverlap: "/segments/overlap"
        case .segmentUsers(let id): "/segments/\(id)/users"
        case .segment(let id): "/segments/\(id)"
        case .deleteSegment(let id): "/segments/\(id)/delete"
        case .lists: "/segments/lists"
        case .renameList(let id): "/segments/lists/\(id)/rename"
        case .deleteList(let id): "/segments/lists/\(id)/delete"
        case .settings: "/settings"
        case .apps: "/settings/apps"
        case .appCredentials(let id): "/settings/apps/\(id)/credentials"
        case .testCredentials(let id): "/settings/apps/\(id)/test"
        case .apiKeys: "/settings/keys"
        case .revokeAPIKey: "/settings/keys/revoke"
        case .facts: "/settings/facts"
        case .factWebhookStep: "/settings/facts/step"
        case .sdkAuthentication: "/settings/sdk-authentication"
        case .sdkAuthenticationMode(let id): "/settings/sdk-authentication/\(id)"
        case .appProof(let id): "/settings/apps/\(id)/proof"
        case .team: "/settings/team"
        case .member(let id): "/settings/team/\(id)"
        case .endMemberSessions(let id): "/settings/team/\(id)/sessions/end"
        case .removeSecondFactor(let id): "/settings/team/\(id)/second-factor/remove"
        case .releaseMember(let id): "/settings/team/\(id)/release"
        case .workspaces: "/settings/workspaces"
        case .switchWorkspace: "/workspace"
        case .singleSignOn: "/settings/single-sign-on"
        case .trySingleSignOn: "/settings/single-sign-on/try"
        case .removeSingleSignOn: "/settings/single-sign-on/remove"
        case .memberRole(let id): "/settings/team/\(id)/role"
        case .removeMember(let id): "/settings/team/\(id)/remove"
        case .makePasswordLink(let id): "/settings/team/\(id)/password-link"
        case .workspace: "/settings/workspace"
        case .limits: "/settings/limits"
        case .controlGroup: "/settings/control-group"
        case .languages: "/settings/languages"
        case .userTimeline(let id): "/users/\(id)/timeline"
        case .userFigures(let id): "/users/\(id)/figures"
        case .userSegments(let id): "/users/\(id)/segments"
        case .editUser(let id): "/users/\(id)/edit"
        case .deleteUser(let id): "/users/\(id)/delete"
        case .auditLog: "/settings/audit"
        case .system: "/settings/system"
        case .files: "/files"
        case .filesPatch: "/files/patch"
        case .releaseFiles: "/settings/files/release"
        case .palette: "/palette"
        case .draft, .reviewDraft, .discardDraft, .rehearsal, .stopRehearsal, .rehearsalText: ""
        }
    }

    package static func push(_ number: Int64) -> ConsolePath { .push(String(number)) }

    package static func contentBlock(_ id: UUID) -> ConsolePath {
        .contentBlock(id.uuidString.lowercased())
    }

    package static func deleteContentBlock(_ id: UUID) -> ConsolePath {
        .deleteContentBlock(id.uuidString.lowercased())
    }

    package static func segment(_ id: SegmentID) -> ConsolePath { .segment("\(id)") }

    package static func deleteSegment(_ id: SegmentID) -> ConsolePath { .deleteSegment("\(id)") }

    package func query(_ fields: FormFields) -> String {
        let query = fields.urlEncoded
        return query.isEmpty ? path : path + "?" + query
    }
}
