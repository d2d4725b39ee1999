import Accounts
import Audience
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NIOCore
import NoroshiWire
import Reasons
import Users

/// `/users/export/segment`: the users of a segment in a file generated during the download.
struct SegmentExportRoutes: Sendable {
    private static let fieldLimit = 100
    private static let path = "/exports"

    let segments: SegmentService
    let archive: UserArchive
    let audience: SegmentationService
    let links: ExportLinkService
    /// Notifies URLs that a file can be downloaded; `nil` if this server makes no such calls.
    let callback: ExportCallback?
    let origin: LinkOrigin

    var endpoints: [RESTEndpoint] {
        let common: [String: Schema] = [
            "fields_to_export": Schema.list(of: .text, limit: Self.fieldLimit).notEmpty.required,
            "output_format": .choice("zip", "gzip"),
            "callback_endpoint": Schema.text.orNull.described(
                "Gets a POST with success and url. Only addresses that connected_content may call."
            ),
        ]
        let link = Schema.success([
            "object_prefix": .text.required,
            "url": .text.required.described(
                "A file with a user in JSON on each line, made anew whenever it is fetched; good "
                    + "for \(Int(ExportLinkService.life / 3600)) hours, without a key."
            ),
            "errors": .list(of: .object(["field": .text.required, "message": .text.required])),
        ])
        return [
            .post(
                "/users/export/segment",
                "users.export.segment",
                "Exports the users of a segment to a file",
                limit: .export,
                takes: .object(common.merging(["segment_id": Schema.uuid.required]) { $1 }),
                answers: link
            ) { call in
                let reader = try call.reader()
                let text = try reader.requiredString("segment_id")
                guard let id = UUID(uuidString: text),
                    let segment = try await segments.segment(apiID: id, in: call.workspace)
                else { throw reader.problem("segment_id", .isUnknown) }
                return try await answer(call, SegmentQuery(segments: [segment.id]))
            },
            .post(
                "/users/export/global_control_group",
                "users.export.global_control_group",
                "Exports the users of the workspace's control group to a file; nobody without one",
                limit: .export,
                takes: .object(common),
                answers: link
            ) { try await answer($0, .controlGroup) },
        ]
    }

    private func answer(
        _ call: RESTEndpoint.Call,
        _ query: SegmentQuery
    ) async throws -> Response {
        let reader = try call.reader()
        let name = try reader.string("output_format") ?? ExportLink.Format.zip.rawValue
        guard let format = ExportLink.Format(rawValue: name) else {
            throw reader.problem("output_format", .zipOrGzip)
        }
        let fields = try reader.strings("fields_to_export", limit: Self.fieldLimit)
        guard !fields.isEmpty else { throw reader.problem("fields_to_export", .required) }
        let listener = try reader.string("callback_endpoint")
        guard listener == nil || callback != nil else {
            throw reader.problem("callback_endpoint", .noCallback)
        }
        let address = try origin.address(for: call)
        let (token, link) = try await links.make(
            of: query,
            fields: Set(fields),
            format: format,
            in: call.workspace
        )
        let url = "\(address)\(Self.path)/\(token)"
        var body: [String: JSONValue] = [
            "message": "success", "object_prefix": .string(link.prefix), "url": .string(url),
        ]
        if let listener, let problem = try await tell(listener, of: url, call.workspace) {
            body["errors"] = [
                ["field": "callback_endpoint", "message": .string("\(problem)")]
            ]
        }
        return try JSONResponse.json(JSONValue.object(body), status: .created)
    }

    /// Notifies a URL and returns the reason if that failed.
    ///
    /// - Throws: `FieldProblem` if the URL may not be called.
    private func tell(
        _ address: String,
        of url: String,
        _ workspace: WorkspaceID
    ) async throws -> Reason? {
        do {
            return try await callback?.tell(address, of: url, for: workspace)
        } catch let refusal as RefusalError {
            throw FieldProblem(.request("callback_endpoint"), refusal.reason)
        }
    }

    func add(to router: Router<some RequestContext>) {
        router.get("\(Self.path)/:token") { _, context in
            let token = try context.parameters.require("token")
            guard let link = try await links.link(token) else {
                throw APIError(
                    .notFound,
                    "there is no such file, or its time is over; ask for a new export"
                )
            }
            let file = UserFile(archive: archive, audience: audience)
            return Response(
                status: .ok,
                headers: [
                    .contentType: link.format == .zip ? "application/zip" : "application/gzip",
                    .cacheControl: "no-store",
                    .contentDisposition: "attachment; filename=\"\(file.name(of: link))\"",
                ],
                body: ResponseBody { writer in
                    try await file.write(link, to: &writer)
                    try await writer.finish(nil)
                }
            )
        }
    }
}
