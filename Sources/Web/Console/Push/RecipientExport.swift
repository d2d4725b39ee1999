import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebPages

/// The recipients of a push as a CSV file, written page by page.
struct RecipientExport: Sendable {
    private static let pageSize = 1000
    private static let columns = ["user", "device", "state", "reason", "changed_at"]

    let services: any ConsoleServices
    let number: Int64
    let query: RecipientQuery

    func response(_ visit: Visit) -> Response {
        Response(
            status: .ok,
            headers: CSVFile.headers(name: "push-\(number)-recipients.csv"),
            body: ResponseBody { writer in
                try await writer.write(
                    ByteBuffer(string: CSVFile.mark + CSVFile.line(Self.columns))
                )
                var query = self.query
                query.after = nil
                query.limit = Self.pageSize
                while true {
                    let rows = try await services.recipients(
                        ofPush: number,
                        query,
                        for: visit.member
                    )
                    let lines = rows.map { CSVFile.line(Self.values($0.dispatch)) }
                    try await writer.write(ByteBuffer(string: lines.joined()))
                    guard rows.count == Self.pageSize, let last = rows.last else { break }
                    query.after = last.cursor
                }
                try await writer.finish(nil)
            }
        )
    }

    private static func values(_ dispatch: DispatchRow) -> [String] {
        [
            dispatch.userName, dispatch.device, dispatch.state.rawValue, dispatch.reason ?? "",
            dispatch.changedAt.formatted(.iso8601),
        ]
    }
}
