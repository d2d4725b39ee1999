import Foundation
import Testing

/// Apple refuses an app or extension that calls certain functions without a privacy manifest beside
/// the code that says why.
@Suite("Privacy manifests")
struct PrivacyManifestTests {
    private static let client = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Client")

    /// Words of source code and the category of Apple's list that they belong to.
    private static let reasons = [
        "stat(": "NSPrivacyAccessedAPICategoryFileTimestamp",
        ".creationDate": "NSPrivacyAccessedAPICategoryFileTimestamp",
        ".modificationDate": "NSPrivacyAccessedAPICategoryFileTimestamp",
        "UserDefaults": "NSPrivacyAccessedAPICategoryUserDefaults",
        "systemUptime": "NSPrivacyAccessedAPICategorySystemBootTime",
        "mach_absolute_time": "NSPrivacyAccessedAPICategorySystemBootTime",
        "volumeAvailableCapacity": "NSPrivacyAccessedAPICategoryDiskSpace",
        "statfs": "NSPrivacyAccessedAPICategoryDiskSpace",
        "activeInputModes": "NSPrivacyAccessedAPICategoryActiveKeyboards",
    ]

    private struct Manifest: Decodable {
        struct Access: Decodable {
            var NSPrivacyAccessedAPIType: String
            var NSPrivacyAccessedAPITypeReasons: [String]
        }

        var NSPrivacyTracking: Bool
        var NSPrivacyAccessedAPITypes: [Access]
    }

    private static func manifest(of module: String) throws -> Manifest? {
        let file = client.appending(path: "\(module)/PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
    }

    @Test("the outbox, which every product links, has one, and nobody is tracked")
    func outbox() throws {
        let manifest = try #require(try Self.manifest(of: "NoroshiOutbox"))
        #expect(!manifest.NSPrivacyTracking)
        #expect(
            manifest.NSPrivacyAccessedAPITypes.allSatisfy {
                !$0.NSPrivacyAccessedAPITypeReasons.isEmpty
            }
        )
    }

    @Test("no module calls a function that neither its own nor the outbox's manifest explains")
    func everyReason() throws {
        let outbox = try Self.manifest(of: "NoroshiOutbox")?.NSPrivacyAccessedAPITypes ?? []
        let files = try #require(FileManager.default.enumerator(atPath: Self.client.path))
        var found: Set<String> = []
        for case let path as String in files where path.hasSuffix(".swift") {
            let module = path.split(separator: "/").first.map(String.init) ?? ""
            let own = try Self.manifest(of: module)?.NSPrivacyAccessedAPITypes ?? []
            // The wire's types are no reason to link the outbox.
            let explained = Set(
                (module == "NoroshiWire" ? own : own + outbox).map(\.NSPrivacyAccessedAPIType)
            )
            let file = Self.client.appending(path: path)
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            for line in lines where !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                for (word, category) in Self.reasons where line.contains(word) {
                    found.insert(category)
                    #expect(explained.contains(category), "\(path): \(word)")
                }
            }
        }
        #expect(found == Set(outbox.map(\.NSPrivacyAccessedAPIType)))
    }
}
