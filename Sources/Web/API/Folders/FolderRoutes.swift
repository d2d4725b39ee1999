import ContentFiles
import ContentFolders
import Foundation
import Hummingbird
import Model
import NoroshiWire
import Reasons

/// `/files/…`: what a folder of content would change, and what its files would have to say. Braze has no
/// endpoints for this; these are specific to this server.
struct FolderRoutes: Sendable {
    let folders: FolderOwnership
    let files: ContentFileService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/files/patch",
                "files.patch",
                "Shows how the files that were applied last would have to change to say what is here now",
                answers: .success([
                    "rows": Schema.list(
                        of: .object([
                            "kind": Schema.text.required, "id": Schema.text.required,
                            "name": Schema.text.required, "path": Schema.text.required,
                            "is_gone": Schema.bool.required
                                .described("Whether the row is here no longer."),
                            "patch": Schema.text.required.described("For the files of this row."),
                        ])
                    ).required,
                    "patch": Schema.text.required.described("For all of them; see `git apply`."),
                    "not_compared": Schema.list(of: .text).required
                        .described("Files that were too long to be kept."),
                ])
            ) { try await patch($0) },
            .post(
                "/files/release",
                "files.release",
                "Lets all rows be edited as if they came from no file, until a folder is applied again",
                success: .ok,
                answers: .success(["rows": Schema.count.required])
            ) { call in
                _ = try call.reader()
                let rows = try await folders.release(by: .key(call.key))
                return try JSONResponse.json(["message": "success", "rows": .integer(Int64(rows))])
            }.recordingItself,
            .post(
                "/files/plan",
                "files.plan",
                "Says what applying a folder of files would change, or what is wrong with them; stores nothing",
                success: .ok,
                takes: Schema.object([
                    "files": Schema.map.required
                        .described("The text of each file by its path in the folder.")
                ]).example([
                    "files": [
                        "content-blocks/footer.yaml": "name: footer\ncontent: See you soon\n"
                    ]
                ]),
                answers: .success([
                    "plan": Schema.text.orNull.required
                        .described("The number of the plan; null if something is wrong."),
                    "changes": Schema.list(of: .object(Self.change)).required,
                    "catalog_rows": Schema.list(
                        of: .object([
                            "path": Schema.text.required, "added": Schema.count.required,
                            "changed": Schema.count.required,
                            "only_on_server": Schema.count.required,
                        ])
                    ).required,
                    "unchanged": Schema.count.required,
                    "only_on_server": Schema.list(of: .text).required,
                    "problems": Schema.list(
                        of: .object([
                            "path": Schema.text.required,
                            "line": Schema.count.orNull.required,
                            "column": Schema.count.orNull.required, "text": Schema.text.required,
                        ])
                    ).required,
                ])
            ) { try await plan($0) },
        ]
    }

    private static let change: [String: Schema] = [
        "path": Schema.text.required, "kind": Schema.text.required, "name": Schema.text.required,
        "is_new": Schema.bool.required,
        "takes_back": Schema.bool.required.described("Whether a change on the server is undone."),
        "differences": Schema.list(of: .text).required,
    ]

    private func patch(_ call: RESTEndpoint.Call) async throws -> Response {
        let patch = try await folders.patch(in: call.workspace)
        return try JSONResponse.json([
            "message": "success",
            "rows": .array(
                patch.rows.map { row in
                    [
                        "kind": .string(row.row.kind), "id": .string(row.row.id),
                        "name": .string(row.name), "path": .string(row.path),
                        "is_gone": .bool(row.isGone), "patch": .string(row.text),
                    ]
                }
            ),
            "patch": .string(patch.text),
            "not_compared": .array(patch.unknown.map(JSONValue.string)),
        ])
    }

    private func plan(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        guard reader.value("files") != nil else { throw reader.problem("files", .requiredObject) }
        var texts: [String: String] = [:]
        for (path, text) in try reader.object("files") {
            guard let text = text.stringValue else {
                throw reader.problem("files.\(path)", .mustBeString)
            }
            texts[path] = text
        }
        do {
            let plan = try await ContentFolder(texts, service: files, actor: .key(call.key)).plan()
            return try JSONResponse.json(Self.answer(plan))
        } catch let error as FolderError {
            return try JSONResponse.json(
                Self.answer(nil).merging(["problems": .array(error.problems.map(Self.answer))]) {
                    $1
                }
            )
        }
    }

    private static func answer(_ plan: FolderPlan?) -> [String: JSONValue] {
        func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
        return [
            "message": "success",
            "plan": plan.map { .string($0.id) } ?? .null,
            "changes": .array(
                (plan?.entries ?? []).map { entry in
                    [
                        "path": .string(entry.path), "kind": .string(entry.kind),
                        "name": .string(entry.name), "is_new": .bool(entry.isNew),
                        "takes_back": .bool(entry.takesBack),
                        "differences": .array(entry.differences.map(JSONValue.string)),
                    ]
                }
            ),
            "catalog_rows": .array(
                (plan?.rows ?? []).map { rows in
                    [
                        "path": .string(rows.path), "added": count(rows.added),
                        "changed": count(rows.changed), "only_on_server": count(rows.onlyOnServer),
                    ]
                }
            ),
            "unchanged": count(plan?.unchanged ?? 0),
            "only_on_server": .array((plan?.onlyOnServer ?? []).map(JSONValue.string)),
            "problems": [],
        ]
    }

    private static func answer(_ problem: FolderProblem) -> JSONValue {
        func count(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
        return [
            "path": .string(problem.path), "line": count(problem.line),
            "column": count(problem.column), "text": .string(problem.text),
        ]
    }
}
