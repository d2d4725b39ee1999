import Foundation
import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Sends
import WebPages

/// The recipients of a push as a CSV file, written page by page.
struct RecipientExport: Sendable {
    private static let pageSize = 1000
    private static let columns = ["user", "device", "state", "reason", "changed_at"]

    let sends: SendReports
    let send: SendID
    let query: RecipientQuery

    func response(_ context: ConsoleContext) -> Response {
        Response(
            status: .ok,
            headers: CSVFile.headers(name: "push-\(send)-recipients.csv"),
            body: ResponseBody { writer in
                try await writer.write(
                    ByteBuffer(string: CSVFile.mark + CSVFile.line(Self.columns))
                )
                var query = self.query
                query.after = nil
                query.limit = Self.pageSize
                while true {
                    let rows = try await sends.dispatches(
                        of: send,
                        matching: query.filter,
                        after: query.after,
                        limit: query.limit
                    )
                    let lines = rows.map { CSVFile.line(Self.values($0.report)) }
                    try await writer.write(ByteBuffer(string: lines.joined()))
                    guard rows.count == Self.pageSize, let last = rows.last else { break }
                    query.after = last.device
                }
                try await writer.finish(nil)
            }
        )
    }

    private static func values(_ dispatch: DispatchReport) -> [String] {
        [
            dispatch.userName, dispatch.device, dispatch.progress.rawValue, dispatch.reason ?? "",
            dispatch.changedAt.formatted(.iso8601),
        ]
    }
}
