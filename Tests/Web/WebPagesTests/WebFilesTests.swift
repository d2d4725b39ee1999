import Foundation
import Testing
import WebPages

@Suite struct WebFilesTests {
    /// `Sources/Web`, seen from this file.
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Web")
    private static let webSDK = folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Clients/web")

    @Test("the binary holds every template, word list and asset as it is on disk")
    func complete() throws {
        var onDisk: Set<String> = []
        for owner in ["API", "Console", "Phones"] {
            // The description of the API is in English only.
            for kind in ["Templates", "Words", "Assets"] where (owner, kind) != ("API", "Words") {
                let folder = Self.folder.appendingPathComponent("\(owner)/\(kind)")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                for name in names where !name.hasPrefix(".") {
                    onDisk.insert("\(owner)/\(kind)/\(name)")
                }
            }
        }
        let scripts = try FileManager.default.contentsOfDirectory(atPath: Self.webSDK.path)
        for name in scripts where name.hasSuffix(".js") { onDisk.insert("WebSDK/\(name)") }
        let embedded = Set(WebFiles.embedded.files.map(\.path))
        #expect(embedded == onDisk, "run Scripts/embed-web-files")
        for file in WebFiles.embedded.files {
            let place =
                file.path.hasPrefix("WebSDK/")
                ? Self.webSDK.appendingPathComponent(String(file.path.dropFirst(7)))
                : Self.folder.appendingPathComponent(file.path)
            let data = try Data(contentsOf: place)
            // Not the bytes themselves: a difference would print both files.
            let isSame = Array(data) == file.bytes
            #expect(isSame, "\(file.path)")
        }
    }

    @Test("another byte in an asset is another address; a template changes none")
    func version() {
        func version(_ css: String, _ template: String) -> String {
            WebFiles(files: [
                WebFile(path: "Console/Assets/a.css", bytes: Array(css.utf8)),
                WebFile(path: "Console/Templates/a.mustache", bytes: Array(template.utf8)),
            ]).version
        }
        #expect(version("a", "x") != version("b", "x"))
        #expect(version("a", "x") == version("a", "y"))
    }

    @Test("assets are small: all of them together stay below 200 KB")
    func size() {
        let assets = WebFiles.embedded.files.filter { $0.path.contains("/Assets/") }
        #expect(assets.map(\.bytes.count).reduce(0, +) < 200_000)
        let mark = assets.first { $0.path == "Console/Assets/favicon.svg" }
        #expect((mark?.bytes.count ?? .max) < 1024)
    }

    @Test("no asset or template fetches from another host")
    func ownHost() throws {
        let pattern = try Regex(#"(src|href|url\(|import|fetch\()[="'( ]+(https?:)?//"#)
        for file in WebFiles.embedded.files where !file.path.contains("/Words/") {
            #expect(file.text.firstMatch(of: pattern) == nil, "\(file.path)")
        }
    }
}
