import Accounts
import Foundation
import Model
import Ports
import Server
import Testing

@Suite("A push that was sent in the console")
struct UndoTests {
    private static let fields = ["message": "Tea is ready", "audience": "everyone"]

    private func send(
        _ console: ConsoleSession,
        count: Int = 1
    ) async throws -> (page: String, send: Send) {
        let new = "/console/push/new"
        let form = try await console.get(new)
        var fields = Self.fields
        let start = try #require(form.range(of: #"name="draft" value=""#))
        fields["draft"] = String(form[start.upperBound...].prefix { $0 != "\"" })
        let page = try await console.post("/console/push/send", fields, tokenFrom: new)
        let sends = try await console.server.store.sends(
            in: console.workspace,
            limit: count + 1,
            offset: 0
        )
        #expect(sends.count == count)
        return (page, try #require(sends.first))
    }

    @Test("waits for some seconds, and goes back to its draft")
    func undo() async throws {
        let clock = HandClock(Date())
        try await ConsoleSession.open(dependencies: clock.dependencies, undoSeconds: 60) {
            console in
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

    @Test("waits over a restart: until then it can be taken back, after that it goes out once")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-undo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appending(path: "test.sqlite").path
        let clock = HandClock(Date())
        for isUndone in [true, false] {
            try await ConsoleSession.open(
                dependencies: clock.dependencies,
                undoSeconds: 60,
                database: database
            ) { console in
                _ = try await send(console, count: isUndone ? 1 : 2)
            }
            clock.advance(59)
            try await ConsoleSession.open(dependencies: clock.dependencies, database: database) {
                console in
                let sends = try await console.server.store.sends(
                    in: console.workspace,
                    limit: 9,
                    offset: 0
                )
                let waiting = try #require(sends.first)
                #expect(waiting.state == .scheduled)
                if isUndone {
                    let push = "/console/push/\(waiting.id)"
                    let draft = try await console.post(push + "/undo", [:], tokenFrom: push)
                    #expect(draft.contains("Nothing was sent."))
                }
                clock.advance(2)
                let end = isUndone ? SendState.cancelled : .finished
                try await eventually("it is \(end)") {
                    try await console.server.store.send(waiting.id)?.state == end
                }
                #expect(
                    try await console.server.store.sends(
                        in: console.workspace,
                        limit: 9,
                        offset: 0
                    ).count == sends.count
                )
            }
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
