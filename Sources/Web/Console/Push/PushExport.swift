import Foundation
import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Sends
import WebPages

/// The push history as a CSV file (RFC 4180), written page by page.
struct PushExport: Sendable {
    private static let pageSize = 500

    let sends: SendReports

    func response(_ context: ConsoleContext) -> Response {
        Response(
            status: .ok,
            headers: CSVFile.headers(name: "pushes.csv"),
            body: ResponseBody { writer in
                try await writer.write(
                    ByteBuffer(string: CSVFile.mark + CSVFile.line(Self.columns))
                )
                let query = PushHistoryQuery(context)
                var page = ListPage(size: Self.pageSize)
                while true {
                    let rows = try await sends.history(
                        of: context.workspace,
                        matching: query.sends,
                        page: page
                    ).reports
                    let lines = rows.map { CSVFile.line(Self.values($0, context)) }
                    try await writer.write(ByteBuffer(string: lines.joined()))
                    if rows.count < Self.pageSize { break }
                    page = page.next
                }
                try await writer.finish(nil)
            }
        )
    }

    private static let columns = [
        "push_no", "state", "title", "message", "audience", "created_at", "deliver_at",
        "planned", "delivered", "received", "direct_opens", "influenced_opens", "dismissed",
        "rejected", "unknown",
    ]

    private static func values(_ push: SendReport, _ context: ConsoleContext) -> [String] {
        let counts = push.counts
        return [
            String(push.send.id.rawValue), push.phase.rawValue, push.title, push.message,
            push.audience.text(context.words), push.send.createdAt.formatted(.iso8601),
            push.deliverAt?.formatted(.iso8601) ?? "",
        ]
            + [
                counts.total, counts[.accepted], counts.received, counts.opened,
                counts.influenced, counts.dismissed, counts.refused, counts[.unknown],
            ].map(String.init)
    }
}
