import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/cdi/integrations`: the operator's files, imported into the workspace on demand.
struct SyncRoutes: Sendable {
    private static let pageLength = 10
    private static let list = "/cdi/integrations"

    let syncs: FileSyncService

    var endpoints: [RESTEndpoint] {
        let cursor = RESTEndpoint.Parameter(
            name: "cursor",
            summary: "Where the answer before ended: from its header Link."
        )
        let all: [RESTEndpoint] = [
            .get(
                Self.list,
                "cdi.integration_list",
                "Lists the files in the operator's folder that can be read into the workspace, "
                    + "\(Self.pageLength) at a time",
                [cursor],
                answers: .success(["results": Schema.list(of: Self.integration).required])
            ) { try await integrations($0) },
            .on(
                .post,
                Self.list + "/{integration_id}/sync",
                "cdi.integration_sync",
                "Begins to read a file into the workspace",
                success: .accepted
            ) { call in
                try await syncs.start(try Self.id(call), in: call.workspace)
                return try JSONResponse.json(
                    JSONValue.object(["message": "success"]),
                    status: .accepted
                )
            }.withoutBody,
            .get(
                Self.list + "/{integration_id}/job_sync_status",
                "cdi.integration_job_status",
                "Lists how the readings of a file went, the newest first, "
                    + "\(Self.pageLength) at a time",
                [cursor],
                answers: .success(["results": Schema.list(of: Self.job).required])
            ) { try await jobs($0) },
        ]
        return all.map { $0.refusing(with: Self.problem) }
    }

    private static let integration = Schema.object([
        "integration_id": Schema.uuid.required, "app_group_id": Schema.text.required,
        "integration_name": Schema.text.required.described("The file's name."),
        "integration_type": Schema.choice("users", "events").required,
        "integration_status": Schema.constant("active").required,
        "contact_emails": Schema.text.required, "warehouse_type": Schema.text.required,
        "last_updated_at": Schema.time.required.described("When the file was last changed."),
        "last_job_start_time": Schema.time.orNull.required,
        "last_job_status": Schema.text.orNull.required,
        "next_scheduled_run": Schema(["type": "null"]).required,
    ])

    private static let job = Schema.object([
        "job_status": Schema.choice("running", "success", "partial", "error", "config_error")
            .required,
        "sync_start_time": Schema.time.required,
        "sync_finish_time": Schema.text.required.described("Empty while it runs."),
        "last_timestamp_synced": Schema.time.required.described(
            "When the file was last changed before it was read."
        ),
        "rows_synced": Schema.count.required, "rows_failed_with_errors": Schema.count.required,
        "error": Schema.text.orNull.required.described(
            "What was wrong with the file, or with the first row that was not stored."
        ),
    ])

    private func integrations(_ call: RESTEndpoint.Call) async throws -> Response {
        let start = try Self.start(call)
        let all = syncs.integrations(of: call.workspace)
        let shown = Array(all.dropFirst(start).prefix(Self.pageLength))
        let jobs = try await syncs.lastJobs(of: shown, in: call.workspace)
        let rows = shown.map { file -> JSONValue in
            let job = jobs[file.id]
            return [
                "integration_id": .string(file.id.uuidString.lowercased()),
                "app_group_id": .string(String(call.workspace.rawValue)),
                "integration_name": .string(file.name),
                "integration_type": .string(file.kind.rawValue), "integration_status": "active",
                "contact_emails": "", "warehouse_type": .string(file.format.rawValue),
                "last_updated_at": .string(Timestamp.format(file.changedAt)),
                "last_job_start_time":
                    (job?.startedAt).map { .string(Timestamp.format($0)) } ?? .null,
                "last_job_status": (job?.state.rawValue).map(JSONValue.string) ?? .null,
                "next_scheduled_run": .null,
            ]
        }
        return try Self.page(rows, Self.list, start, hasMore: all.count > start + shown.count)
    }

    private func jobs(_ call: RESTEndpoint.Call) async throws -> Response {
        let start = try Self.start(call)
        let id = try Self.id(call)
        let jobs = try await syncs.jobs(
            of: id,
            in: call.workspace,
            limit: Self.pageLength + 1,
            offset: start
        )
        let rows = jobs.prefix(Self.pageLength).map { job -> JSONValue in
            [
                "job_status": .string(job.state.rawValue),
                "sync_start_time": .string(Timestamp.format(job.startedAt)),
                "sync_finish_time": .string(job.finishedAt.map(Timestamp.format) ?? ""),
                "last_timestamp_synced": .string(Timestamp.format(job.fileChangedAt)),
                "rows_synced": .integer(Int64(job.storedRows)),
                "rows_failed_with_errors": .integer(Int64(job.rejectedRows)),
                "error": job.problem.map(JSONValue.string) ?? .null,
            ]
        }
        return try Self.page(
            Array(rows),
            "\(Self.list)/\(id.uuidString.lowercased())/job_sync_status",
            start,
            hasMore: jobs.count > Self.pageLength
        )
    }

    private static func page(
        _ rows: [JSONValue],
        _ path: String,
        _ start: Int,
        hasMore: Bool
    ) throws -> Response {
        var response = try JSONResponse.json(["message": "success", "results": .array(rows)])
        var links: [String] = []
        if start > 0 {
            links.append("<\(path)?cursor=\(max(0, start - pageLength))>; rel=\"prev\"")
        }
        if hasMore { links.append("<\(path)?cursor=\(start + pageLength)>; rel=\"next\"") }
        if !links.isEmpty, let link = HTTPField.Name("Link") {
            response.headers[link] = links.joined(separator: ",")
        }
        return response
    }

    private static func start(_ call: RESTEndpoint.Call) throws -> Int {
        guard let text = try call.reader().string("cursor") else { return 0 }
        guard let start = Int(text), RESTEndpoint.Parameter.pages.contains(start) else {
            throw FieldProblem("cursor", .noCursor)
        }
        return start
    }

    private static func id(_ call: RESTEndpoint.Call) throws -> UUID {
        guard let id = UUID(uuidString: call.pathParameter("integration_id")) else {
            throw FieldProblem("integration_id", .noIntegrationID)
        }
        return id
    }

    @Sendable
    private static func problem(_ error: any Error) -> APIError? {
        switch (error as? RefusalError)?.code {
        case .noSync:
            APIError(
                .notFound,
                "Integration not found: /cdi/integrations lists those there are"
            )
        case .syncRunning:
            APIError(.tooManyRequests, "Another job is in progress", retryAfterSeconds: 5)
        default: nil
        }
    }
}
