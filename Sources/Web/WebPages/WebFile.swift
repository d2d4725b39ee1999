/// A file that is part of the binary: a template, a word list or an asset.
package struct WebFile: Sendable, Hashable {
    /// The path below `Sources/Web`, such as `Console/Assets/console.css`.
    package let path: String
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The file's name without folders and its last extension.
    package var stem: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: ".") else { return name }
        return String(name[..<dot])
    }

    package var fileExtension: String {
        guard let dot = path.lastIndex(of: ".") else { return "" }
        return String(path[path.index(after: dot)...])
    }

    package var contentType: String {
        switch fileExtension {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json": "application/json"
        case "png": "image/png"
        case "webp": "image/webp"
        case "woff2": "font/woff2"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
