import Mustache

/// The addresses of assets for templates: `{{asset.console_console_css}}` is the address of
/// `console/console.css`.
package struct AssetURLs: Sendable, MustacheParent {
    private let addresses: [String: String]

    package init(_ files: WebFiles) {
        var addresses: [String: String] = [:]
        for name in files.assetNames {
            let key = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            addresses[key] = files.address(of: name)
        }
        self.addresses = addresses
    }

    package func child(named name: String) -> Any? { addresses[name] }
}
