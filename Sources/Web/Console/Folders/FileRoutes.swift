import ContentFolders
import Foundation
import HTTPTypes
import Hummingbird
import Model
import NIOCore
import WebPages

/// What the files of a folder would have to say, and how rows are released from them.
struct FileRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.files.path),
            use: gate.member { visit, _ in try await page(visit) }
        )
        router.get(
            RouterPath(ConsolePath.filesPatch.path),
            use: gate.member { visit, _ in try await file(visit) }
        )
        router.post(
            RouterPath(ConsolePath.releaseFiles.path),
            use: gate.member(.administrator) { visit, _ in
                _ = try await site.services.folders.release(by: visit.actor)
                return HTMLResponse.redirect(to: FlashMessage.filesReleased.address(.files))
            }
        )
    }

    private func row(_ visit: Visit) -> WrittenRow? {
        let kind = visit.query["kind"]
        return kind.isEmpty ? nil : WrittenRow(kind: kind, id: visit.query["id"])
    }

    private func page(_ visit: Visit) async throws -> Response {
        let row = row(visit)
        var path: String?
        if let row {
            path = try await site.services.folders.path(of: row, in: visit.workspace)
            if path == nil { throw PageProblem.notFound }
        }
        let page = FilesPage(
            try await site.patch(for: visit),
            isUsed: try await site.services.folders.isUsed(in: visit.workspace),
            only: row,
            path: path,
            visit: visit
        )
        return try site.page(
            "files",
            page,
            title: page.title,
            place: visit.may(.administrator) ? .settings : .overview,
            visit: visit
        )
    }

    private func file(_ visit: Visit) async throws -> Response {
        let patch = try await site.patch(for: visit)
        let text: String
        if let row = row(visit) {
            guard let found = patch.row(row) else { throw PageProblem.notFound }
            text = found.text
        } else {
            text = patch.text
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/plain; charset=utf-8",
                .contentDisposition: "attachment; filename=\"noroshi.patch\"",
                .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
