import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import Testing

/// One send over all three providers, with a server that was set up by its commands and simulators
/// that are programs' own services.
@Suite("One send through Apple, Firebase and a browser's service")
struct ThreeProvidersTests {
    @Test(
        "reaches all three devices, the opens come back and the ledger agrees",
        .timeLimit(.minutes(20))
    )
    func send() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-three-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let eventLoops = MultiThreadedEventLoopGroup.singleton
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let apns = try await APNsSimulator.start(eventLoops: eventLoops, logger: logger)
        let fcm = try await FCMSimulator.start(eventLoops: eventLoops, logger: logger)
        let webPush = try await WebPushSimulator.start(eventLoops: eventLoops, logger: logger)
        let site = try await ThreeProvidersSite(folder: folder, apns, fcm, webPush)
        let server = try ServerProcess(arguments: site.serveArguments)
        defer { server.kill() }

        // The browser asks for the key it subscribes with.
        let (_, answer) = try await server.get("/sdk/v1/web_push_key", key: site.webKey)
        #expect(answer.contains(site.vapidKey))
        let browser = webPush.subscribe(applicationServerKey: site.vapidKey)
        let phone = apns.registerDevice(bundleID: site.bundleID, environment: .sandbox)
        let android = fcm.registerDevice(project: site.project)
        try await server.register(
            key: site.appleKey,
            platform: "ios",
            user: "ada",
            token: """
                {"token": "\(phone)", "provider": "apns", "environment": "sandbox",
                 "authorization": "authorized"}
                """
        )
        try await server.register(
            key: site.androidKey,
            platform: "android",
            user: "ben",
            token: #"{"token": "\#(android)", "provider": "fcm", "authorization": "authorized"}"#
        )
        try await server.register(
            key: site.webKey,
            platform: "web",
            user: "mai",
            token: """
                {"token": "\(browser.endpoint)", "provider": "webpush",
                 "authorization": "authorized", "p256dh": "\(browser.publicKey)",
                 "auth": "\(browser.authenticationSecret)"}
                """
        )

        let (status, text) = try await server.post(
            "/messages/send",
            key: site.apiKey,
            """
            {"external_user_ids": ["ada", "ben", "mai"], "messages": {
                "apple_push": {"alert": {"title": "Three", "body": "One for each"}},
                "android_push": {"title": "Three", "alert": "One for each"},
                "web_push": {"title": "Three", "alert": "One for each"}}}
            """
        )
        try #require(status == 201, "\(text)")
        try await eventually("all three are in the ledger as accepted") {
            try await site.count("state = 2") == 3
        }
        #expect(apns.acceptedCount == 1)
        #expect(fcm.acceptedCount == 1)
        #expect(webPush.acceptedCount == 1)
        #expect(fcm.accepted.first?.data["title"] == "Three")
        let content = try #require(webPush.accepted.first?.content)
        #expect(String(decoding: content, as: UTF8.self).contains(#""title":"Three""#))

        // Each device reports what its provider gave it; the number is the same for all.
        let number = try #require(Self.text("push_no", in: Data(content)))
        #expect(fcm.accepted.first?.data["push_no"] == number)
        let dispatches = [
            (site.appleKey, "ios", "ada", apns.accepted.first.map { Data($0.payload) }),
            (
                site.androidKey, "android", "ben",
                fcm.accepted.first?.data["noroshi"].map { Data($0.utf8) }
            ),
            (site.webKey, "web", "mai", Data(content)),
        ]
        for (key, platform, user, payload) in dispatches {
            let dispatch = try #require(
                payload.flatMap { Self.text("dispatch_id", in: $0) },
                "\(platform)"
            )
            try await server.open(dispatch, number, key: key, platform: platform, user: user)
        }
        try await eventually("all three opens are counted") {
            try await site.count("opened_at IS NOT NULL") == 3
        }
        #expect(try await site.count("TRUE") == 3)
        await apns.stop()
        await fcm.stop()
        await webPush.stop()
    }

    /// The text of a key in a payload, wherever it stands.
    private static func text(_ key: String, in payload: Data) -> String? {
        let text = String(decoding: payload, as: UTF8.self)
        guard let start = text.range(of: #""\#(key)":""#) else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
}

extension ServerProcess {
    /// The installation of a platform, the same for every call.
    private static func device(_ platform: String) -> String {
        let numbers = ["ios": 1, "android": 2, "web": 3]
        let id = "0F2A1C3E-0000-4000-8000-00000000000\(numbers[platform] ?? 0)"
        return #"{"id": "\#(id)", "platform": "\#(platform)"}"#
    }

    fileprivate func register(
        key: String,
        platform: String,
        user: String,
        token: String
    ) async throws {
        try await batch(key, platform, user, #""type": "push_token", "token": \#(token)"#)
    }

    fileprivate func open(
        _ dispatch: String,
        _ number: String,
        key: String,
        platform: String,
        user: String
    ) async throws {
        let push =
            #"{"kind": "opened", "dispatch": "\#(dispatch)", "push_no": \#(number)}"#
        try await batch(key, platform, user, #""type": "push", "push": \#(push)"#)
    }

    private func batch(
        _ key: String,
        _ platform: String,
        _ user: String,
        _ content: String
    ) async throws {
        let (status, answer) = try await post(
            "/sdk/v1/batch",
            key: key,
            """
            {"device": \(Self.device(platform)), "records": [{"id": "\(UUID())", "seq": 1,
              "time_ms": \(Int(Date().timeIntervalSince1970 * 1000)),
              "user": {"external_id": "\(user)"}, \(content)}]}
            """
        )
        guard status == 200, answer.contains(#""rejected":[]"#) else {
            throw Problem(description: "\(status): \(answer)")
        }
    }
}
