import Audience
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/segments/…`: the saved segments, their definitions and their sizes over time.
struct SegmentRoutes: Sendable {
    private static let pageLength = 100
    private static let day = 86_400

    let segments: SegmentService
    let inspector: SegmentInspector

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/segments/list",
                "segments.list",
                "Lists the segments, \(Self.pageLength) on a page",
                [.page, .init(name: "sort_direction", schema: .choice("asc", "desc"))],
                answers: .success([
                    "segments": Schema.list(
                        of: .object([
                            "id": Schema.uuid.required, "name": Schema.text.required,
                            "analytics_tracking_enabled": Schema.bool.required,
                            "tags": Schema.list(of: .text).required,
                        ])
                    ).required
                ])
            ) { try await list($0) },
            .get(
                "/segments/details",
                "segments.details",
                "Describes a segment in words",
                [Self.segment],
                answers: .success([
                    "name": Schema.text.required, "description": Schema.text.required,
                    "text_description": Schema.text.required.described("The filters in words."),
                    "created_at": Schema.time.required, "updated_at": Schema.time.required,
                    "tags": Schema.list(of: .text).required,
                    "teams": Schema.list(of: .text).required,
                ])
            ) { try await details($0) },
            .get(
                "/segments/data_series",
                "segments.data_series",
                "Tells how many users a segment had, day by day, as far as it was counted",
                [
                    Self.segment,
                    .init(
                        name: "length",
                        isRequired: true,
                        schema: .integer(1...SeriesReader.lengthLimit)
                    ),
                    .init(name: "ending_at", schema: .time),
                ],
                answers: SeriesReader.answer("size")
            ) { try await series($0) },
            .get(
                "/segments/overlap",
                "segments.overlap",
                "Tells how many users two segments have in common now",
                [
                    Self.segment,
                    .init(name: "other_segment_id", isRequired: true, schema: .uuid),
                ],
                answers: .success([
                    "users": Schema.count.required.described("In the first one."),
                    "other_users": Schema.count.required,
                    "in_both": Schema.count.required, "in_either": Schema.count.required,
                ])
            ) { try await overlap($0) },
        ]
    }

    private static let segment = RESTEndpoint.Parameter(
        name: "segment_id",
        isRequired: true,
        schema: .uuid
    )

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let page = try reader.page()
        let direction = try reader.string("sort_direction") ?? "asc"
        guard ["asc", "desc"].contains(direction) else {
            throw reader.problem("sort_direction", .ascOrDesc)
        }
        let oldestFirst = try await segments.segments(in: call.workspace).sorted { $0.id < $1.id }
        let all = direction == "asc" ? oldestFirst : oldestFirst.reversed()
        let shown = all.dropFirst(page * Self.pageLength).prefix(Self.pageLength)
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success",
                "segments": .array(
                    shown.map {
                        [
                            "id": .string($0.apiID.uuidString.lowercased()),
                            "name": .string($0.content.name),
                            // The size of every segment is recorded daily.
                            "analytics_tracking_enabled": true, "tags": [],
                        ]
                    }
                ),
            ])
        )
    }

    private func overlap(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let first = try await SegmentReference(segments: segments).segment(call)
        guard let id = UUID(uuidString: try reader.requiredString("other_segment_id")),
            let second = try await segments.segment(apiID: id, in: call.workspace)
        else { throw reader.problem("other_segment_id", .noListedSegment) }
        let overlap = try await inspector.overlap(of: first, with: second)
        return try JSONResponse.json([
            "message": "success", "users": .integer(Int64(overlap.first)),
            "other_users": .integer(Int64(overlap.second)),
            "in_both": .integer(Int64(overlap.both)),
            "in_either": .integer(Int64(overlap.either)),
        ])
    }

    private func details(_ call: RESTEndpoint.Call) async throws -> Response {
        let segment = try await SegmentReference(segments: segments).segment(call)
        let book = try await segments.book(of: call.workspace)
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success", "name": .string(segment.content.name),
                "description": .string(segment.content.description),
                "text_description": .string(try segments.text(of: segment, book: book)),
                "created_at": .string(Timestamp.format(segment.createdAt)),
                "updated_at": .string(Timestamp.format(segment.updatedAt)), "tags": [],
                "teams": [],
            ])
        )
    }

    private func series(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let segment = try await SegmentReference(segments: segments).segment(call)
        guard let length = try reader.wholeNumber("length", 1...SeriesReader.lengthLimit) else {
            throw reader.problem("length", .requiredDays, ["first": "1", "last": "100"])
        }
        let sizes = try await segments.sizes(
            of: segment,
            days: length,
            endingAt: try reader.time("ending_at")
        )
        // Days without a count are left out, because an invented number would look like a fact.
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success",
                "data": .array(
                    sizes.map {
                        [
                            "time": .string(Self.text(day: $0.day)),
                            "size": .integer(Int64($0.users)),
                        ]
                    }
                ),
            ])
        )
    }

    private static func text(day: Int) -> String {
        String(
            Timestamp.format(Date(timeIntervalSince1970: TimeInterval(day * Self.day)))
                .prefix(10)
        )
    }
}

/// Finds the segment that a request names.
struct SegmentReference {
    let segments: SegmentService

    func segment(_ call: RESTEndpoint.Call) async throws -> StoredSegment {
        let reader = try call.reader()
        return try await segment(try reader.requiredString("segment_id"), call.workspace)
    }

    func segment(_ text: String, _ workspace: WorkspaceID) async throws -> StoredSegment {
        guard let id = UUID(uuidString: text),
            let segment = try await segments.segment(apiID: id, in: workspace)
        else {
            throw FieldProblem("segment_id", .noListedSegment)
        }
        return segment
    }
}
