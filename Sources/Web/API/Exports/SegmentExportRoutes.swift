import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NIOCore
import NoroshiWire
import Ports

/// `/users/export/segment`: the users of a segment in a file that is made while it is fetched.
struct SegmentExportRoutes: Sendable {
    /// Users in one file inside the ZIP file.
    private static let usersInAFile = 5000
    private static let bytesInAFile = 1 << 30
    private static let fieldLimit = 100
    private static let path = "/exports"

    let store: any Store
    let audience: any AudienceSource
    let links = ExportLinks()
    let makeToken: @Sendable () -> String
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        let common: [String: Schema] = [
            "fields_to_export": Schema.list(of: .text, limit: Self.fieldLimit).notEmpty.required,
            "output_format": .choice("zip"),
        ]
        let link = Schema.success([
            "object_prefix": .text.required,
            "url": .text.required.described(
                "A ZIP file with a user in JSON on each line; good for one download in an hour."
            ),
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
                    let segment = try await store.segment(apiID: id, in: call.workspace)
                else { throw reader.problem("segment_id", "is unknown") }
                return try answer(call, SegmentQuery(segments: [segment.id]))
            },
            .post(
                "/users/export/global_control_group",
                "users.export.global_control_group",
                "Exports the global control group: an empty file, this server has no such group",
                limit: .export,
                takes: .object(common),
                answers: link
            ) { try answer($0, nil) },
        ]
    }

    private func answer(
        _ call: RESTEndpoint.Call,
        _ query: SegmentQuery?
    ) throws -> Response {
        let reader = try call.reader()
        guard reader.value("callback_endpoint") == nil else {
            throw reader.problem("callback_endpoint", "is not supported; fetch url instead")
        }
        guard try reader.string("output_format") ?? "zip" == "zip" else {
            throw reader.problem("output_format", "is zip")
        }
        let fields = try reader.strings("fields_to_export", limit: Self.fieldLimit)
        guard !fields.isEmpty else { throw reader.problem("fields_to_export", "is required") }
        let token = makeToken()
        let prefix = "\(UUID().uuidString.lowercased())-\(Int(now().timeIntervalSince1970))"
        links.add(
            ExportJob(
                workspace: call.workspace,
                query: query,
                fields: Set(fields),
                prefix: prefix
            ),
            token: token,
            now: now()
        )
        return try APIAnswer.json(
            [
                "message": "success", "object_prefix": .string(prefix),
                "url": .string("\(call.origin)\(Self.path)/\(token)"),
            ],
            status: .created
        )
    }

    func add(to router: Router<some RequestContext>) {
        router.get("\(Self.path)/:token") { _, context in
            let token = try context.parameters.require("token")
            guard let job = links.take(token, now: now()) else {
                throw APIProblem(
                    .notFound,
                    "this address was used or is older than an hour; ask for a new export"
                )
            }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/zip", .cacheControl: "no-store",
                    .contentDisposition: "attachment; filename=\"\(job.prefix).zip\"",
                ],
                body: ResponseBody { writer in
                    try await write(job, to: &writer)
                    try await writer.finish(nil)
                }
            )
        }
    }

    /// Reads and writes some users at a time, whatever the size of the segment.
    private func write(
        _ job: ExportJob,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var zip = ZipWriter()
        var cursor: ProfileID?
        var file = 0
        let exporter = UserExporter(store: store, workspace: job.workspace, now: now)
        while let query = job.query {
            let users = try await audience.profiles(
                in: job.workspace,
                matching: query,
                after: cursor,
                limit: Self.usersInAFile
            )
            guard !users.isEmpty else { break }
            file += 1
            try await writer.write(ByteBuffer(bytes: zip.begin("\(job.prefix)-\(file).txt")))
            try await exporter.forEach(users, job.fields) { user in
                let line = try UserExporter.line(user)
                if zip.size + line.count > Self.bytesInAFile {
                    file += 1
                    let next = zip.begin("\(job.prefix)-\(file).txt")
                    try await writer.write(ByteBuffer(bytes: next))
                }
                zip.note(line)
                try await writer.write(ByteBuffer(bytes: line))
            }
            cursor = users.last
            if users.count < Self.usersInAFile { break }
        }
        try await writer.write(ByteBuffer(bytes: zip.finish()))
    }
}
