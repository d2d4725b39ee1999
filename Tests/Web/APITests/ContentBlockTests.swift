import Foundation
import HTTPTypes
import NoroshiWire
import Testing

@Suite("Content blocks")
struct ContentBlockTests {
    @Test("a block is made, shown, changed and listed")
    func life() async throws {
        try await APIClient.run { client in
            let made = try await client.post(
                "/content_blocks/create",
                [
                    "name": "greeting", "content": "Hi {{${first_name}}}", "description": "Hello",
                    "tags": ["tea"],
                ]
            )
            #expect(made.status == .created)
            #expect(made.body["liquid_tag"] == "{{content_blocks.${greeting}}}")
            let id = try #require(made.body["content_block_id"]?.stringValue)
            let info = try await client.get("/content_blocks/info?content_block_id=\(id)")
            #expect(info.status == .ok)
            #expect(info.body["content"] == "Hi {{${first_name}}}")
            #expect(info.body["tags"] == ["tea"])
            let changed = try await client.post(
                "/content_blocks/update",
                ["content_block_id": .string(id), "content": "Hello", "state": "draft"]
            )
            #expect(changed.status == .created)
            let list = try await client.get("/content_blocks/list?limit=10")
            #expect(list.body["count"] == 1)
            let first = list.body["content_blocks"]?.arrayValue?.first
            #expect(first?["name"] == "greeting")
            #expect(first?["state"] == "draft")
            #expect(first?["description"] == nil)
        }
    }

    @Test("what is wrong with a block is named")
    func problems() async throws {
        try await APIClient.run { client in
            let good: [String: JSONValue] = ["name": "a", "content": "b"]
            let changes: [(String, JSONValue)] = [
                ("name", "two words"), ("name", .null), ("content", "{% if x %}"),
                ("content", .string(String(repeating: "x", count: 51_201))), ("state", "old"),
                ("tags", [1]), ("description", 5),
            ]
            for (field, value) in changes {
                let answer = try await client.post(
                    "/content_blocks/create",
                    .object(good.merging([field: value]) { $1 })
                )
                #expect(answer.status == .badRequest)
                #expect(answer.message.contains("'\(field)"), "\(answer.message)")
            }
            _ = try await client.post("/content_blocks/create", .object(good))
            let taken = try await client.post("/content_blocks/create", .object(good))
            #expect(taken.status == .badRequest)
            let unknown = try await client.get(
                "/content_blocks/info?content_block_id=\(UUID().uuidString)"
            )
            #expect(unknown.status == .badRequest)
        }
    }

    @Test("a push that names a block which cannot be used is refused with the reason")
    func use() async throws {
        try await APIClient.run { client in
            func send(_ body: String) async throws -> APIClient.Answer {
                try await client.post(
                    "/messages/send",
                    [
                        "broadcast": true,
                        "messages": ["apple_push": ["alert": .string(body)]],
                    ]
                )
            }
            func make(_ name: String, _ content: String) async throws {
                let answer = try await client.post(
                    "/content_blocks/create",
                    ["name": .string(name), "content": .string(content)]
                )
                #expect(answer.status == .created)
            }
            let unknown = try await send("{{content_blocks.${none}}}")
            #expect(unknown.status == .badRequest)
            #expect(unknown.message.contains("'none' cannot be used: there is none"))
            try await make("snake", "{{content_blocks.${tail}}}")
            try await make("tail", "{{content_blocks.${snake}}}")
            let cycle = try await send("{{content_blocks.${snake}}}")
            #expect(cycle.status == .badRequest)
            #expect(cycle.message.contains("includes itself, snake → tail → snake"))
            for number in 1...6 {
                try await make("deep\(number)", "{{content_blocks.${deep\(number + 1)}}}")
            }
            try await make("deep7", "end")
            let deep = try await send("{{content_blocks.${deep1}}}")
            #expect(deep.message.contains("'deep1' cannot be used: blocks lie more than 5 deep"))
            #expect(try await send("{{content_blocks.${deep3}}}").status == .created)
        }
    }
}
