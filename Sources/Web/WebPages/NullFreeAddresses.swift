import HTTPTypes
import Hummingbird
import NIOCore

/// Rejects requests whose path or query contains U+0000: databases end a text there, so that two
/// addresses would mean the same object.
package struct NullFreeAddresses<Context: RequestContext>: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let uri = request.uri
        guard let place = Self.nullPlace(inPath: uri.path, query: uri.query) else {
            return try await next(request, context)
        }
        let text = #"{"message":"'\#(place)' must not contain U+0000"}"#
        return Response(
            status: .badRequest,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// The parameter that contains U+0000, or `path`.
    private static func nullPlace(inPath path: String, query: String?) -> String? {
        if path.contains("%00") { return "path" }
        guard let query, query.contains("%00") else { return nil }
        let field = FormFields(urlEncoded: query).fieldWithNull ?? "query"
        return String(field.unicodeScalars.filter { $0.properties.isAlphabetic || $0 == "_" })
    }
}
