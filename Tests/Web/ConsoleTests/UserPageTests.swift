import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import SampleWorkspace
import Testing
import WebPages

@testable import Console

@Suite("A user's page") struct UserPageTests {
    private func withUser(
        _ role: String = "marketer@example.com",
        _ work:
            @escaping @Sendable (inout ConsoleBrowser, any Store, Profile) async throws -> Void
    ) async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn(role)
            let workspace = try #require(try await store.workspaces().first).id
            let user = try #require(try await store.profile(.external("yuki"), in: workspace))
            try await work(&browser, store, user)
        }
    }

    @Test("only administrators delete a user, after a question, and everything is gone")
    func delete() async throws {
        try await withUser { browser, store, user in
            let page = try await browser.get(ConsolePath.user("\(user.id)").path)
            let path = ConsolePath.deleteUser("\(user.id)").path
            #expect(!page.text.contains(path))
            let csrf = page.field("csrf") ?? ""
            let refused = try await browser.post(path, [("csrf", csrf)])
            #expect(refused.status == .forbidden)
            try await browser.logIn()
            let own = try await browser.get(ConsolePath.user("\(user.id)").path)
            #expect(own.text.contains("data-confirm=\"Delete "))
            let answer = try await browser.post(path, own.form(path))
            #expect(answer.location == "/console/users?notice=user-deleted")
            #expect(try await store.profile(user.id) == nil)
        }
    }

    @Test("segments are chips, the local time is shown, and the timeline is narrowed by kind")
    func parts() async throws {
        try await withUser { browser, store, user in
            let page = try await browser.get(ConsolePath.user("\(user.id)").path)
            #expect(page.text.contains("Asia/Tokyo") || user.standard[.timeZone] == nil)
            let expected = try await store.segments(in: user.workspace)
            try #require(!expected.isEmpty)
            let address = ConsolePath.userSegments("\(user.id)").path
            let chips = try await browser.get(address)
            #expect(chips.text.contains("class=\"chip\""))
            let timeline = ConsolePath.userTimeline("\(user.id)")
            func kinds(_ topic: String) async throws -> Set<String> {
                let text = try await browser.get(
                    timeline.query(FormFields([("topic", topic)]))
                ).text
                return Set(
                    text.matches(of: /<span class="what">(.*?)<\/span>/).map { String($0.1) }
                )
            }
            let all = try await kinds("")
            #expect(all.count > 1)
            #expect(try await kinds("sessions").isSubset(of: ["Session", "Session end"]))
            #expect(try await !kinds("pushes").contains("Event"))
            var together: Set<String> = []
            for topic in ["events", "purchases", "sessions", "pushes", "in_app"] {
                together.formUnion(try await kinds(topic))
            }
            #expect(together.isSuperset(of: all))
        }
    }
}
