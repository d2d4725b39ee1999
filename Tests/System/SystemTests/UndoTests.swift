import Accounts
import Foundation
import Model
import Ports
import Server
import Testing

@Suite("A push that was sent in the console")
struct UndoTests {
    private static let fields = ["message": "Tea is ready", "audience": "everyone"]

    private func send(_ console: ConsoleSession) async throws -> (page: String, send: Send) {
        let new = "/console/push/new"
        let form = try await console.get(new)
        var fields = Self.fields
        let start = try #require(form.range(of: #"name="draft" value=""#))
        fields["draft"] = String(form[start.upperBound...].prefix { $0 != "\"" })
        let page = try await console.post("/console/push/send", fields, tokenFrom: new)
        let sends = try await console.server.store.sends(
            in: console.workspace,
            limit: 2,
            offset: 0
        )
        #expect(sends.count == 1)
        return (page, try #require(sends.first))
    }

    @Test("waits for some seconds, and goes back to its draft")
    func undo() async throws {
        let clock = HandClock(Date())
        try await ConsoleSession.open(world: clock.world, undoSeconds: 60) { console in
            let (page, send) = try await send(console)
            #expect(page.contains("It goes out in 60 seconds."))
            #expect(send.state == .scheduled)
            // What waits is stored with its time; a restart reads it there.
            #expect(send.scheduledAt == send.content.heldUntil)
            #expect(abs(send.scheduledAt.timeIntervalSince(send.createdAt) - 60) < 0.01)
            let push = "/console/push/\(send.id)"
            let draft = try await console.post(push + "/undo", [:], tokenFrom: push)
            #expect(draft.contains("Nothing was sent.") && draft.contains("Tea is ready"))
            #expect(try await console.server.store.send(send.id)?.state == .cancelled)
            let late = try await console.post(push + "/undo", [:], tokenFrom: push)
            #expect(!late.contains("Nothing was sent."))
        }
    }

    @Test("goes at once where nothing waits, as the REST API's do")
    func immediately() async throws {
        try await ConsoleSession.open { console in
            let (_, send) = try await send(console)
            #expect(send.content.heldUntil == nil && send.scheduledAt == send.createdAt)
        }
        try await ConsoleSession.open(undoSeconds: 60) { console in
            let key = try await console.server.accounts.createAPIKey(
                name: "test",
                permissions: ["*"],
                by: .commandLine(account: "test", console.workspace)
            )
            let status = try await console.call(
                "/messages/send",
                key: key,
                json: #"{"broadcast": true, "messages": {"apple_push": {"alert": "Tea"}}}"#
            )
            #expect(status == 201)
            let send = try #require(
                try await console.server.store.sends(in: console.workspace, limit: 1, offset: 0)
                    .first
            )
            #expect(send.content.heldUntil == nil && send.scheduledAt == send.createdAt)
        }
    }
}
