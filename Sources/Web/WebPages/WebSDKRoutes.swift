import Crypto
import HTTPTypes
import Hummingbird
import NIOCore

/// Serves the web SDK at permanent addresses: `/sdk/web/noroshi.js` for pages, and
/// `/sdk/web/worker.js` for a site's service worker.
package struct WebSDKRoutes: Sendable {
    private let files: [String: [UInt8]]

    package init(files: WebFiles) {
        var contents: [String: [UInt8]] = [:]
        for file in files.folder("WebSDK") {
            contents[String(file.path.dropFirst("WebSDK/".count))] = file.bytes
        }
        // A script imported into a worker cannot import others by relative addresses.
        if let outbox = contents["outbox.js"], let worker = contents["worker.js"] {
            contents["worker.js"] = outbox + worker
        }
        self.files = contents
    }

    package func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/sdk/web/:name") { request, context in
            answer(try context.parameters.require("name"), request)
        }
    }

    private func answer(_ name: String, _ request: Request) -> Response {
        guard let bytes = files[name] else { return Response(status: .notFound) }
        let hash = SHA256.hash(data: bytes).prefix(12).map { String($0, radix: 36) }.joined()
        let tag = "\"\(hash)\""
        var headers: HTTPFields = [.contentType: "text/javascript; charset=utf-8"]
        headers[.eTag] = tag
        // Revalidated each time, and sent only if it has changed.
        headers[.cacheControl] = "no-cache"
        headers[.xContentTypeOptions] = "nosniff"
        // Modules are loaded by pages of any site.
        headers[.accessControlAllowOrigin] = "*"
        if request.headers[.ifNoneMatch] == tag {
            return Response(status: .notModified, headers: headers)
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
