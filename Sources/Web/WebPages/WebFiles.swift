import CWebFiles
import Crypto

/// The files of the console and the virtual phones, as of the build.
///
/// They are compiled in with `#embed`, so the binary needs no separate folder.
package struct WebFiles: Sendable {
    package let files: [WebFile]
    /// Changes if any asset changes; part of every asset's address.
    package let version: String
    private let assetsByName: [String: WebFile]

    package init(files: [WebFile]) {
        self.files = files.sorted { $0.path < $1.path }
        var hash = SHA256()
        var assets: [String: WebFile] = [:]
        for file in self.files where file.path.contains("/Assets/") {
            hash.update(data: Array(file.path.utf8))
            hash.update(data: file.bytes)
            assets[Self.assetName(file.path)] = file
        }
        let digits = hash.finalize().prefix(6).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        version = digits.joined()
        assetsByName = assets
    }

    /// The files embedded in this binary.
    package static let embedded = WebFiles(
        files: (0..<web_file_count()).map { index in
            let file = web_file_at(index)
            return WebFile(
                path: String(cString: file.path),
                bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
            )
        }
    )

    /// The files of one folder, such as `Console/Templates`.
    package func folder(_ folder: String) -> [WebFile] {
        files.filter { $0.path.hasPrefix(folder + "/") }
    }

    /// The asset at `console/console.css`: the owner's name in lowercase, then the path.
    package func asset(named name: String) -> WebFile? { assetsByName[name] }

    package var assetNames: [String] { assetsByName.keys.sorted() }

    /// The address of an asset. It changes with the content, so it can be cached indefinitely; all
    /// assets share one version, so that scripts can import each other by relative addresses.
    package func address(of name: String) -> String { "/assets/\(version)/\(name)" }

    private static func assetName(_ path: String) -> String {
        let parts = path.split(separator: "/")
        let owner = parts.first.map { $0.lowercased() } ?? ""
        return ([owner] + parts.dropFirst(2).map(String.init)).joined(separator: "/")
    }
}
