import Foundation
import HTTPTypes
import Hummingbird
import Model
import NIOCore
import WebPages

/// The push history as a CSV file (RFC 4180), written page by page.
struct PushExport: Sendable {
    private static let pageSize = 500

    let services: any ConsoleServices
    let query: FormFields

    func response(_ visit: Visit) -> Response {
        Response(
            status: .ok,
            headers: CSVFile.headers(name: "pushes.csv"),
            body: ResponseBody { writer in
                try await writer.write(
                    ByteBuffer(string: CSVFile.mark + CSVFile.line(Self.columns))
                )
                var query = PushHistoryQuery(fields: self.query)
                query.page = ListPage(size: Self.pageSize)
                while true {
                    let rows = try await services.pushHistory(query, for: visit.member).rows
                    let lines = rows.map { CSVFile.line(Self.values($0, visit)) }
                    try await writer.write(ByteBuffer(string: lines.joined()))
                    if rows.count < Self.pageSize { break }
                    query.page = query.page.next
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

    private static func values(_ push: PushSummary, _ visit: Visit) -> [String] {
        let figures = push.figures
        return [
            String(push.number), push.state.rawValue, push.title, push.message,
            push.audience.text(visit.words), push.createdAt.formatted(.iso8601),
            push.deliverAt?.formatted(.iso8601) ?? "",
        ]
            + [
                figures.planned, figures.delivered, figures.received, figures.directOpens,
                figures.influencedOpens, figures.dismissed, figures.rejected, figures.unknown,
            ].map(String.init)
    }
}
