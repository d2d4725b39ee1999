import Foundation
import Testing

@Suite("Examples/TeaHouse, as Xcode reads it")
struct TeaHouseTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Examples/TeaHouse")

    private typealias Object = [String: Any]

    private static func plist(_ path: String) throws -> Object {
        let data = try Data(contentsOf: folder.appendingPathComponent(path))
        return try #require(
            PropertyListSerialization.propertyList(from: data, format: nil) as? Object
        )
    }

    private static func objects() throws -> [String: Object] {
        let project = try plist("TeaHouse.xcodeproj/project.pbxproj")
        return try #require(project["objects"] as? [String: Object])
    }

    private static func children(_ object: Object?, _ key: String) -> [String] {
        object?[key] as? [String] ?? []
    }

    @Test("every file that the project names exists, and every source is in a target")
    func files() throws {
        let objects = try Self.objects()
        var named: Set<String> = []
        func walk(_ id: String, _ path: String) throws {
            let object = try #require(objects[id])
            let own = object["path"] as? String
            let place = [path, own ?? ""].filter { !$0.isEmpty }.joined(separator: "/")
            if object["isa"] as? String == "PBXGroup" {
                for child in Self.children(object, "children") { try walk(child, place) }
            } else if object["sourceTree"] as? String == "<group>" {
                named.insert(place)
                let file = Self.folder.appendingPathComponent(place).path
                #expect(FileManager.default.fileExists(atPath: file), "\(place)")
            }
        }
        let project = try #require(objects.values.first { $0["isa"] as? String == "PBXProject" })
        try walk(try #require(project["mainGroup"] as? String), "")
        let there = try #require(FileManager.default.enumerator(atPath: Self.folder.path))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        #expect(Set(there) == named.filter { $0.hasSuffix(".swift") })
        let built = Set(
            objects.values.filter { $0["isa"] as? String == "PBXBuildFile" }
                .compactMap { $0["fileRef"] as? String }
        )
        for (id, object) in objects {
            guard (object["path"] as? String)?.hasSuffix(".swift") == true else { continue }
            #expect(built.contains(id), "\(object["path"] ?? "") is in no target")
        }
    }

    @Test("whatever an object of the project refers to is there")
    func references() throws {
        let objects = try Self.objects()
        func check(_ value: Any, in id: String) {
            switch value {
            case let text as String where text.hasPrefix("7EA") && text.count == 24:
                #expect(objects[text] != nil, "\(id) refers to \(text)")
            case let list as [Any]:
                for element in list { check(element, in: id) }
            case let object as Object:
                for element in object.values { check(element, in: id) }
            default:
                break
            }
        }
        for (id, object) in objects { check(object, in: id) }
    }

    @Test("each target links the products it imports, which the package has")
    func products() throws {
        let objects = try Self.objects()
        let manifest = try String(
            contentsOf: Self.folder.appendingPathComponent("../../Package.swift"),
            encoding: .utf8
        )
        let folders = [
            "TeaHouse": "App", "TeaHouseService": "Service", "TeaHouseContent": "Content",
        ]
        for target in objects.values where target["isa"] as? String == "PBXNativeTarget" {
            let name = try #require(target["name"] as? String)
            let linked = Set(
                Self.children(target, "packageProductDependencies")
                    .compactMap { objects[$0]?["productName"] as? String }
            )
            for product in linked { #expect(manifest.contains("library(name: \"\(product)\"")) }
            for folder in [try #require(folders[name]), "Shared"] {
                let place = Self.folder.appendingPathComponent(folder)
                for file in try FileManager.default.contentsOfDirectory(atPath: place.path)
                where file.hasSuffix(".swift") {
                    let text = try String(
                        contentsOf: place.appendingPathComponent(file),
                        encoding: .utf8
                    )
                    let imports = text.split(separator: "\n")
                        .filter { $0.hasPrefix("import Noroshi") }
                        .map { String($0.dropFirst("import ".count)) }
                    #expect(linked.isSuperset(of: imports), "\(name): \(file)")
                }
            }
        }
    }

    @Test("extensions share the app's group, and pushes may wake the app")
    func declarations() throws {
        let group = "com.apple.security.application-groups"
        let app = try Self.plist("App/TeaHouse.entitlements")
        #expect(app["aps-environment"] as? String == "development")
        let groups = try [
            app, Self.plist("Service/TeaHouseService.entitlements"),
            Self.plist("Content/TeaHouseContent.entitlements"),
        ].map { $0[group] as? [String] }
        #expect(groups == Array(repeating: ["$(NOROSHI_APP_GROUP)"], count: 3))
        let info = try Self.plist("App/Info.plist")
        #expect(info["UIBackgroundModes"] as? [String] == ["remote-notification"])
        let content = try #require(Self.plist("Content/Info.plist")["NSExtension"] as? Object)
        #expect(
            content["NSExtensionPointIdentifier"] as? String
                == "com.apple.usernotifications.content-extension"
        )
        let attributes = try #require(content["NSExtensionAttributes"] as? Object)
        #expect(attributes["UNNotificationExtensionUserInteractionEnabled"] as? Bool == true)
        #expect(attributes["UNNotificationExtensionInitialContentSizeRatio"] as? Double == 0.5)
        let service = try #require(Self.plist("Service/Info.plist")["NSExtension"] as? Object)
        #expect(
            service["NSExtensionPointIdentifier"] as? String
                == "com.apple.usernotifications.service"
        )
        for extensions in [content, service] {
            let name = try #require(extensions["NSExtensionPrincipalClass"] as? String)
            #expect(name.hasPrefix("$(PRODUCT_MODULE_NAME).Notification"))
        }
    }
}
