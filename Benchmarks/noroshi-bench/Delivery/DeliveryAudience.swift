import Foundation
import Model
import NoroshiWire
import Ports
import StoreSQL

/// The users of the measurement: each with a name, a handful of attributes and one iPhone.
struct DeliveryAudience {
    static let bundleID = "jp.example.noroshi.bench"
    private static let batch = 1_000
    /// Number of users that are ingested as data of devices; the others are copies of their rows.
    private static let ingested = 10_000

    let folder: URL
    let users: Int

    var path: String { folder.appendingPathComponent("users-\(users).sqlite").path }

    /// Creates the file, unless it exists from an earlier measurement.
    func prepare(_ say: (String) -> Void) async throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let draft = path + ".draft"
        func clear() {
            for file in [draft, draft + "-wal", draft + "-shm"] {
                try? FileManager.default.removeItem(atPath: file)
            }
        }
        clear()
        try await fill(draft, say)
        try FileManager.default.moveItem(atPath: draft, toPath: path)
        clear()
    }

    /// Moves the users into an empty database.
    func move(to database: String, _ say: (String) -> Void) async throws {
        say("moving \(users) users to PostgreSQL")
        let file = try SQLStore(path: path)
        let target = try SQLStore(at: DatabaseLocation(database))
        try await DatabaseMove(from: file, to: target).run()
        try await target.close()
        try await file.close()
    }

    private func fill(_ path: String, _ say: (String) -> Void) async throws {
        let store = try SQLStore(path: path, synchronous: .normal)
        let now = Date()
        let workspace = try await store.createWorkspace(
            name: "Bench",
            timeZone: "Asia/Tokyo",
            now: now
        )
        let app = try await store.createApp(
            AppDraft(
                name: "Bench",
                platform: "ios",
                bundleID: Self.bundleID,
                sdkKey: "bench-\(UUID().uuidString)"
            ),
            in: workspace,
            noting: nil,
            now: now
        )
        let ingested = min(users, Self.ingested)
        for start in stride(from: 0, to: ingested, by: Self.batch) {
            let numbers = start..<min(ingested, start + Self.batch)
            let outcomes = try await store.ingest(
                numbers.map { Self.request($0, workspace: workspace, app: app.id, now: now) },
                now: now
            )
            guard outcomes.joined().allSatisfy({ $0 == .stored(except: []) }) else {
                throw BenchError("a user could not be stored: \(outcomes.joined())")
            }
        }
        try await store.close()
        if users > ingested {
            say("copying \(ingested) users until there are \(users)")
            try UserMultiplier(path: path).multiply(seeded: ingested, to: users)
        }
    }

    private static func request(
        _ number: Int,
        workspace: WorkspaceID,
        app: AppID,
        now: Date
    ) -> IngestRequest {
        let user = UserReference.external("user-\(number)")
        let attributes: [String: JSONValue] = [
            "first_name": .string(firstNames[number % firstNames.count]),
            "country": "JP", "language": "ja", "home_city": "Kyoto",
            "rank": .string(["bronze", "silver", "gold"][number % 3]),
            "points": .integer(Int64(number % 5_000)),
            "shop": .string("shop \(number % 40)"),
            "favourites": .array([.string("tea"), .string("item \(number % 100)")]),
            "newsletter": .bool(number % 2 == 0),
            "average_basket": .number(Double(number % 10_000) / 7),
        ]
        return IngestRequest(
            workspace: workspace,
            source: .device(
                SDKDevice(
                    id: UUID(number: number),
                    platform: "ios",
                    model: "iPhone17,1",
                    osVersion: "26.0",
                    appVersion: "4.2.0",
                    sdkVersion: "1.0.0",
                    locale: "ja_JP",
                    timeZone: "Asia/Tokyo"
                ),
                app: app
            ),
            items: [
                IngestItem(
                    recordID: nil,
                    user: user,
                    time: now,
                    content: .attributes(AttributeChanges(attributes))
                ),
                IngestItem(
                    recordID: nil,
                    user: user,
                    time: now,
                    content: .pushRegistered(
                        PushRegistration(
                            provider: .apns,
                            token: token(number),
                            environment: .production,
                            authorization: .authorized,
                            registeredAt: now
                        )
                    )
                ),
            ]
        )
    }

    /// 32 bytes in hexadecimal that contain the user's number.
    static func token(_ number: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 64 - text.count) + text
    }

    private static let firstNames = [
        "Hanako", "Taro", "Yuki", "Ren", "Aoi", "Sora", "Mei", "Haruto", "Rin", "Kaito",
    ]

    /// A typical message: a name, an attribute, a condition and a filter.
    static let message: PushMessage = {
        var message = PushMessage(
            title: "Weekend for {{ ${first_name} | default: 'you' }}",
            body: """
                {% if {{custom_attribute.${rank}}} == 'gold' %}Early entry, {% endif %}\
                you have {{ custom_attribute.${points} }} points at \
                {{ custom_attribute.${shop} | capitalize }}.
                """
        )
        message.uri = "https://shop.example.jp/weekend"
        message.sound = "default"
        message.badge = .set(1)
        message.keyValuePairs = ["campaign": "weekend"]
        return message
    }()
}

extension UUID {
    /// An id derived from the number.
    fileprivate init(number: Int) {
        let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
        self.init(
            uuid: (
                0, 0, 0, 0, 0, 0, 0x40, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4],
                bytes[5], bytes[6], bytes[7]
            )
        )
    }
}
