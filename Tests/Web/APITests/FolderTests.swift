import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("/files/…")
struct FolderTests {
    private static let footer = "# Below all.\nname: footer\ncontent: Bye\n"

    @Test("a plan over the API is that of the files, and names what is wrong by line")
    func plan() async throws {
        try await APIClient.run { client in
            let plan = try await client.post(
                "/files/plan",
                ["files": ["content-blocks/footer.yaml": .string(Self.footer)]]
            )
            #expect(plan.status == .ok, "\(plan.body)")
            #expect(plan.body["plan"]?.stringValue?.count == 12)
            let change = try #require(plan.body["changes"]?.arrayValue?.first)
            #expect(change["path"] == "content-blocks/footer.yaml" && change["is_new"] == true)
            #expect(plan.body["problems"] == [])
            let wrong = try await client.post(
                "/files/plan",
                ["files": ["content-blocks/footer.yaml": "name: footer\nkontent: Bye\n"]]
            )
            #expect(wrong.status == .ok && wrong.body["plan"] == .null)
            let problem = try #require(wrong.body["problems"]?.arrayValue?.first)
            #expect(problem["path"] == "content-blocks/footer.yaml" && problem["line"] == 2)
            for body in [[:], ["files": ["a.yaml": 1]], ["files": "a"]] as [JSONValue] {
                #expect(try await client.post("/files/plan", body).status == .badRequest)
            }
            // Nothing is stored by it.
            #expect(try await client.store.hasFolderFiles(in: client.workspace) == false)
        }
    }

    @Test("the patch is what the files would have to say, until they are released")
    func patch() async throws {
        try await APIClient.run { client in
            let created = try await client.post(
                "/content_blocks/create",
                ["name": "footer", "content": "Bye"]
            )
            let id = try #require(created.body["content_block_id"]?.stringValue)
            let files = [
                FolderFile(
                    path: "content-blocks/footer.yaml",
                    row: WrittenRow(kind: "content_block", id: id),
                    text: Self.footer
                )
            ]
            let audit = AuditRecord(
                at: Date(timeIntervalSince1970: 0),
                origin: .api,
                author: "",
                action: "content_imported",
                subject: ""
            )
            try await client.store.changeWrittenContent(
                of: client.workspace,
                identifiers: [],
                now: Date(timeIntervalSince1970: 0)
            ) { _ in
                var changes = WrittenContentChanges(audit: audit)
                changes.files = files
                return (changes, ())
            }
            _ = try await client.post(
                "/content_blocks/update",
                ["content_block_id": .string(id), "content": "Farewell"]
            )
            let patch = try await client.get("/files/patch").body
            let row = try #require(patch["rows"]?.arrayValue?.first)
            #expect(row["id"] == .string(id) && row["is_gone"] == false)
            let text = try #require(row["patch"]?.stringValue)
            #expect(text.contains("-content: Bye\n+content: Farewell\n"), "\(text)")
            let released = try await client.post("/files/release", [:])
            #expect(released.status == .ok && released.body["rows"] == 1)
            #expect(try await client.get("/files/patch").body["patch"] == "")
        }
    }
}
