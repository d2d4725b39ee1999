import HTTPTypes
import Hummingbird
import NIOCore

/// Serves the embedded assets, cached for a year under an address that contains their hash.
package struct AssetRoutes: Sendable {
    private let files: WebFiles
    private let delivered: [String: ByteBuffer]

    /// Those of this binary, made smaller once however many servers a process has.
    package static let embedded = AssetRoutes(files: .embedded)

    package init(files: WebFiles) {
        self.files = files
        delivered = Dictionary(
            uniqueKeysWithValues: files.assetNames.compactMap { name in
                files.asset(named: name).map { (name, ByteBuffer(bytes: $0.delivered)) }
            }
        )
    }

    package func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/assets/:version/**") { _, context in
            let version = try context.parameters.require("version")
            let name = context.parameters.getCatchAll().joined(separator: "/")
            return response(version: version, name: name)
        }
    }

    private func response(version: String, name: String) -> Response {
        guard let file = files.asset(named: name), let content = delivered[name] else {
            return Response(status: .notFound)
        }
        var headers: HTTPFields = [.contentType: file.contentType]
        headers[.xContentTypeOptions] = "nosniff"
        // A page of an older version still gets a usable file, but it is not cached.
        headers[.cacheControl] =
            version == files.version ? "public, max-age=31536000, immutable" : "no-store"
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: content)
        )
    }
}
