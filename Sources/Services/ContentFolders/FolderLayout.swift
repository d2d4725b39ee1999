import Foundation
import NoroshiWire

/// Where the rows of each kind are in a folder.
enum FolderLayout {
    static let lock = "noroshi.lock"
    /// Kinds of which a workspace has one row, which has a file of its own.
    static let single = ["settings": "settings.yaml", "limits": "limits.yaml"]
    static let folders = [
        "subscription_group": "subscription-groups", "content_block": "content-blocks",
        "catalog": "catalogs", "segment": "segments", "news": "news", "campaign": "campaigns",
        "in_app_message": "in-app-messages", "journey": "journeys",
        "preference_center": "preference-centers", "report": "reports",
    ]

    /// The kind of what a YAML file describes, by the place of the file.
    static func kind(of path: String) -> String? {
        if let kind = single.first(where: { $0.value == path })?.key { return kind }
        let parts = path.split(separator: "/")
        guard parts.count == 2 else { return nil }
        return folders.first { $0.value == parts[0] }?.key
    }

    /// What a row is called, in messages and in the name of its file.
    static func name(of line: [String: JSONValue], kind: String) -> String {
        line[kind == "news" ? "title" : "name"]?.stringValue ?? ""
    }

    /// A path for a new file, which no other file has.
    static func path(for name: String, kind: String, taken: (String) -> Bool) -> String {
        if let path = single[kind] { return path }
        let stem = (folders[kind] ?? kind) + "/" + slug(name)
        var path = stem + ".yaml"
        var number = 2
        while taken(path) {
            path = "\(stem)-\(number).yaml"
            number += 1
        }
        return path
    }

    /// A name for a file that every file system takes: letters and digits of any script in lowercase, and
    /// dashes between them.
    static func slug(_ name: String) -> String {
        let words = name.precomposedStringWithCanonicalMapping.lowercased()
            .split { !$0.isLetter && !$0.isNumber }
        var slug = words.joined(separator: "-")
        // File systems bound names to 255 bytes; endings need some of them.
        while slug.utf8.count > 120 { slug.removeLast() }
        return slug.isEmpty ? "unnamed" : slug
    }

    /// The rows of a catalog, beside its file.
    static func rows(of path: String) -> String { stem(path) + ".csv" }

    static func stem(_ path: String) -> String {
        path.hasSuffix(".yaml") ? String(path.dropLast(5)) : path
    }
}
