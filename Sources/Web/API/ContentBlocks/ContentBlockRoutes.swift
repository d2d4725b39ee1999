import Content
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire

/// Content blocks: fragments that many messages share.
struct ContentBlockRoutes: Sendable {
    private static let pageLength = 100
    private static let pageLimit = 1000
    private static let offsetLimit = 1_000_000

    let blocks: ContentBlockService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/content_blocks/list",
                "content_blocks.list",
                "Lists content blocks, most recently changed first",
                [
                    .init(name: "modified_after", schema: .time),
                    .init(name: "modified_before", schema: .time),
                    .init(name: "limit", schema: .integer(1...Self.pageLimit)),
                    .init(name: "offset", schema: .integer(0...Self.offsetLimit)),
                ],
                answers: ContentBlockSchemas.list
            ) { try await list($0) },
            .get(
                "/content_blocks/info",
                "content_blocks.info",
                "Shows a content block with its content",
                [
                    .init(name: "content_block_id", isRequired: true, schema: .uuid),
                    .init(
                        name: "include_inclusion_data",
                        schema: .choice("true", "false"),
                        summary: "Whether to list the campaigns that include it."
                    ),
                ],
                answers: ContentBlockSchemas.info
            ) { try await info($0) },
            .post(
                "/content_blocks/create",
                "content_blocks.create",
                "Makes a content block",
                takes: ContentBlockSchemas.creation,
                answers: ContentBlockSchemas.created
            ) { try await create($0) }.recordingItself,
            .post(
                "/content_blocks/update",
                "content_blocks.update",
                "Changes a content block; messages that wait use it as it then is",
                takes: ContentBlockSchemas.change,
                answers: ContentBlockSchemas.updated
            ) { try await update($0) }.recordingItself,
        ]
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let query = ContentBlockQuery(
            modifiedAfter: try reader.time("modified_after"),
            modifiedBefore: try reader.time("modified_before"),
            limit: try reader.wholeNumber("limit", 1...Self.pageLimit) ?? Self.pageLength,
            offset: try reader.wholeNumber("offset", 0...Self.offsetLimit) ?? 0
        )
        let found = try await blocks.blocks(in: call.workspace, matching: query)
        let uses = try await blocks.uses(in: call.workspace)
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success", "count": .integer(Int64(found.count)),
                "content_blocks": .array(found.map { .object(summary($0, uses)) }),
            ])
        )
    }

    private func info(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        guard let block = try await blocks.block(try id(reader), in: call.workspace) else {
            throw unknown(reader)
        }
        let uses = try await blocks.uses(in: call.workspace)
        var answer = summary(block, uses)
        switch try reader.string("include_inclusion_data") ?? "false" {
        case "true":
            answer["inclusion_data"] = .array(
                uses.messages(includingBlock: block.name).map {
                    [
                        "campaign_id": .string($0.campaign.uuidString.lowercased()),
                        "message_variation_id": .string($0.variant.uuidString.lowercased()),
                    ]
                }
            )
        case "false": break
        default: throw reader.problem("include_inclusion_data", .isFlag)
        }
        answer["message"] = "success"
        answer["content"] = .string(block.content)
        answer["description"] = .string(block.description)
        return try JSONResponse.json(JSONValue.object(answer))
    }

    private func summary(
        _ block: ContentBlock,
        _ uses: ContentUses
    ) -> [String: JSONValue] {
        [
            "content_block_id": .string(block.id.uuidString.lowercased()),
            "name": .string(block.name),
            "content_type": .string(block.content.contains("</") ? "html" : "text"),
            "liquid_tag": .string(block.liquidTag),
            "state": .string(block.state.rawValue),
            "tags": .array(block.tags.map(JSONValue.string)),
            "created_at": .string(Timestamp.format(block.createdAt)),
            "last_edited": .string(Timestamp.format(block.updatedAt)),
            "inclusion_count": .integer(
                Int64(uses.messages(includingBlock: block.name).count)
            ),
        ]
    }

    private func create(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        _ = try (reader.requiredString("name"), reader.requiredString("content"))
        return try await answer(
            blocks.create(by: .key(call.key)) { try read(reader, into: &$0) },
            .created
        )
    }

    private func update(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let id = try id(reader)
        let block = try await blocks.change(id, by: .key(call.key)) {
            try read(reader, into: &$0)
        }
        guard let block else { throw unknown(reader) }
        return try answer(block, .created)
    }

    private func answer(
        _ block: ContentBlock,
        _ status: HTTPResponse.Status
    ) throws -> Response {
        try JSONResponse.json(
            JSONValue.object([
                "message": "success",
                "content_block_id": .string(block.id.uuidString.lowercased()),
                "liquid_tag": .string(block.liquidTag),
                "created_at": .string(Timestamp.format(block.createdAt)),
                "updated_at": .string(Timestamp.format(block.updatedAt)),
            ]),
            status: status
        )
    }

    /// The block a request names.
    private func id(_ reader: RequestReader) throws -> UUID {
        guard let id = UUID(uuidString: try reader.requiredString("content_block_id")) else {
            throw unknown(reader)
        }
        return id
    }

    private func unknown(_ reader: RequestReader) -> FieldProblem {
        reader.problem("content_block_id", .noBlock)
    }

    /// Applies the fields that a request contains.
    private func read(_ reader: RequestReader, into block: inout ContentBlock) throws {
        if let name = try reader.string("name") { block.name = name }
        if let content = try reader.string("content") { block.content = content }
        if let text = reader.value("description") {
            guard let text = text.stringValue else {
                throw reader.problem("description", .mustBeString)
            }
            block.description = text
        }
        if let name = try reader.string("state") {
            guard let state = ContentBlock.State(rawValue: name) else {
                throw reader.problem("state", .activeOrDraftQuoted)
            }
            block.state = state
        }
        if reader.fields.contains("tags") {
            block.tags = try reader.strings("tags", limit: ContentBlockValidator.tagLimit)
        }
    }
}
