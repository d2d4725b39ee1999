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
            use: gate.member { context, _ in try await page(context) }
        )
        router.get(
            RouterPath(ConsolePath.filesPatch.path),
            use: gate.member { context, _ in try await file(context) }
        )
        router.post(
            RouterPath(ConsolePath.releaseFiles.path),
            use: gate.member(.administrator) { context, _ in
                _ = try await site.services.folders.release(by: context.actor)
                return HTMLResponse.redirect(to: FlashMessage.filesReleased.address(.files))
            }
        )
    }

    private func row(_ context: ConsoleContext) -> WrittenRow? {
        let kind = context.query["kind"]
        return kind.isEmpty ? nil : WrittenRow(kind: kind, id: context.query["id"])
    }

    private func page(_ context: ConsoleContext) async throws -> Response {
        let row = row(context)
        var path: String?
        if let row {
            path = try await site.services.folders.path(of: row, in: context.workspace)
            if path == nil { throw PageError.notFound }
        }
        let page = FilesPage(
            try await site.patch(for: context),
            isUsed: try await site.services.folders.isUsed(in: context.workspace),
            only: row,
            path: path,
            context: context
        )
        return try site.page(
            "files",
            page,
            title: page.title,
            place: context.hasRole(atLeast: .administrator) ? .settings : .overview,
            context: context
        )
    }

    private func file(_ context: ConsoleContext) async throws -> Response {
        let patch = try await site.patch(for: context)
        let text: String
        if let row = row(context) {
            guard let found = patch.row(row) else { throw PageError.notFound }
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
