import Console
import HTTPTypes
import Hummingbird
import Model
import Testing
import WebPages

/// Who may do what: every route of the router, with every role.
@Suite struct RoleTests {
    /// Where somebody comes in who is not logged in.
    private static let open: Set<String> = [
        ConsolePath.login.path, ConsolePath.language.path, ConsolePath.passwordLink("7").path,
        ConsolePath.loginCode.path, ConsolePath.loginPasskey.path,
        ConsolePath.loginChallenge.path, ConsolePath.loginOpenID("7").path,
        ConsolePath.loginOpenIDReturn("7").path,
    ]
    /// Posts that change nothing but what is one's own.
    private static let questions: Set<String> = [
        ConsolePath.logout.path, ConsolePath.switchWorkspace.path, ConsolePath.account.path,
        ConsolePath.endSessions.path,
        ConsolePath.secondFactorStep("7").path, ConsolePath.passkeys.path,
        ConsolePath.passkeyChallenge.path, ConsolePath.removePasskey("7").path,
        ConsolePath.probeSegment.path, ConsolePath.explainSegment.path,
        ConsolePath.rehearsal(.campaign, "7").path, ConsolePath.rehearsal(.journey, "7").path,
        ConsolePath.stopRehearsal(.campaign, "7").path,
        ConsolePath.stopRehearsal(.journey, "7").path,
    ]
    /// Forms that only those see who may send them.
    private static let forms: Set<String> = Set([
        ConsolePath.newPush.path, ConsolePath.editPush("7").path,
        ConsolePath.duplicatePush("7").path, ConsolePath.reviewPush.path,
        ConsolePath.newCampaign.path, ConsolePath.reviewCampaign.path,
        ConsolePath.activateCampaign("7").path,
        ConsolePath.editCampaign("7").path, ConsolePath.duplicateCampaign("7").path,
        ConsolePath.newInApp.path, ConsolePath.editInApp("7").path,
        ConsolePath.duplicateInApp("7").path, ConsolePath.activateInApp("7").path,
        ConsolePath.newNews.path, ConsolePath.newSegment.path, ConsolePath.newContentBlock.path,
        ConsolePath.saveReport.path, ConsolePath.newJourney.path,
        ConsolePath.journeyAdd("7").path, ConsolePath.journeyStep("7", "7").path,
        ConsolePath.journeyRules("7").path, ConsolePath.journeyTrial("7").path,
        ConsolePath.publishJourney.path, ConsolePath.editUser("7").path,
    ]).union(
        FormDraft.Kind.allCases.flatMap {
            [ConsolePath.draft($0, "7").path, ConsolePath.reviewDraft($0, "7").path]
        }
    )

    private static func role(_ method: HTTPRequest.Method, _ path: String) -> Member.Role {
        if path.hasPrefix(ConsolePath.settings.path) || path == ConsolePath.blockName.path
            || path == ConsolePath.deleteUser("7").path
        {
            return .administrator
        }
        if method == .get { return forms.contains(path) ? .marketer : .viewer }
        return questions.contains(path) ? .viewer : .marketer
    }

    /// The routes of the console with a value in each place.
    private static func routes() async throws -> [(method: HTTPRequest.Method, path: String)] {
        let place = try Regex(#"\{[^}]+\}|:\w+"#)
        return try await ConsoleBrowser.routes().map { route in
            (route.method, route.path.replacing(place, with: "7"))
        }
        .filter { $0.path.hasPrefix(ConsolePath.root) && !Self.open.contains($0.path) }
    }

    @Test("whoever is not logged in is asked to, on every route")
    func strangers() async throws {
        let routes = try await Self.routes()
        #expect(routes.count > 50)
        try await ConsoleBrowser.open { browser in
            for (method, path) in routes {
                let page = try await browser.ask(method, path)
                #expect(page.status == .seeOther, "\(method) \(path)")
                #expect(page.location?.hasPrefix(ConsolePath.login.path) == true)
            }
        }
    }

    @Test(
        "a role opens what is for it and nothing above",
        arguments: [Member.Role.viewer, .marketer]
    )
    func roles(role: Member.Role) async throws {
        let routes = try await Self.routes()
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("\(role.rawValue)@example.com")
            let csrf = try await browser.get(ConsolePath.overview.path).field("csrf") ?? ""
            for (method, path) in routes where path != ConsolePath.logout.path {
                guard path != ConsolePath.pushChanges.path else { continue }
                let needed = Self.role(method, path)
                let page = try await browser.ask(method, path, [("csrf", csrf)])
                let isRefused = page.status == .forbidden
                #expect(isRefused == (needed > role), "\(method) \(path): \(page.status)")
            }
        }
    }

    @Test("a form without its token changes nothing, on every route")
    func tokens() async throws {
        let routes = try await Self.routes()
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            for (method, path) in routes where method == .post {
                let page = try await browser.ask(method, path, [("csrf", "made up")])
                #expect(page.status == .forbidden, "\(path)")
                #expect(page.text.contains("<html"))
            }
        }
    }
}
