import Foundation
import Model
import NoroshiWire
import Ports
import Segments

/// Random commits of every kind to a store, as clients and people make them.
struct RowTraffic {
    let store: any Store
    let workspace: WorkspaceID
    let app: AppID
    var random: RandomAudience
    private var installations: [UUID] = []

    init(store: any Store, workspace: WorkspaceID, app: AppID, seed: UInt64) {
        self.store = store
        self.workspace = workspace
        self.app = app
        random = RandomAudience(seed: seed)
    }

    private var now: Date { Date(timeIntervalSince1970: TimeInterval(random.now)) }

    /// One commit.
    mutating func step() async throws {
        switch random.below(20) {
        case 0: try await merge()
        case 1: try await delete()
        case 2: try await uploadList()
        case 3...6: try await batch()
        default: try await track()
        }
    }

    private mutating func user() -> UserReference {
        switch random.below(10) {
        case 0: .alias(name: "n\(random.below(12))", label: "shop")
        case 1: .anonymous(UUID(uuid: Self.bytes(random.below(12))))
        default: .external("user-\(random.below(40))")
        }
    }

    private static func bytes(_ number: Int) -> uuid_t {
        (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))
    }

    private mutating func time() -> Date {
        Date(timeIntervalSince1970: TimeInterval(random.time()) + 0.25)
    }

    private mutating func item() -> IngestItem {
        let content: IngestItem.Content
        switch random.below(7) {
        case 0, 1: content = .attributes(AttributeChanges(attributes()))
        case 2: content = .sessionStarted
        case 3:
            content = .purchase(
                product: random.pick(RandomAudience.products),
                currency: "EUR",
                price: Double(random.below(400)) / 100,
                quantity: 1 + random.below(3),
                properties: random.chance(50) ? ["price": .integer(3)] : [:]
            )
        default:
            content = .event(
                name: random.pick(RandomAudience.events),
                properties: random.chance(50)
                    ? [
                        "price": .integer(Int64(random.below(5))),
                        "color": Self.json(random.value()),
                    ]
                    : [:]
            )
        }
        return IngestItem(recordID: nil, user: user(), time: time(), content: content)
    }

    private mutating func attributes() -> [String: JSONValue] {
        let profile = random.profile(1)
        var values: [String: JSONValue] = [:]
        values["country"] = profile.country.map(JSONValue.string)
        values["language"] = profile.language.map(JSONValue.string)
        values["time_zone"] = profile.timeZone.map(JSONValue.string)
        values["first_name"] = profile.firstName.map(JSONValue.string)
        values["push_subscribe"] = .string(
            random.pick(["subscribed", "opted_in", "unsubscribed"])
        )
        values["dob"] = profile.dateOfBirth.map { .string(Self.text($0)) }
        for (name, value) in profile.custom { values[name] = Self.json(value) }
        if random.chance(20) { values[random.pick(RandomAudience.names)] = .null }
        return values
    }

    static func json(_ value: AttributeValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        case .integer(let number): .integer(number)
        case .bool(let bool): .bool(bool)
        case .time(let seconds): .string(text(seconds))
        case .array(let elements): .array(elements.map(json))
        case .object(let members): .object(members.mapValues(json))
        }
    }

    private static func text(_ seconds: Int64) -> String {
        Timestamp.format(Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    private mutating func track() async throws {
        let items = (0...random.below(12)).map { _ in item() }
        _ = try await store.ingest(
            [IngestRequest(workspace: workspace, source: .api, items: items)],
            now: now
        )
    }

    private mutating func batch() async throws {
        if installations.isEmpty || random.chance(30) {
            installations.append(UUID(uuid: Self.bytes(100 + installations.count)))
        }
        let user = user()
        var items = [item()]
        items[0].user = user
        if random.chance(60) {
            items.append(
                IngestItem(
                    recordID: nil,
                    user: user,
                    time: time(),
                    content: random.chance(80)
                        ? .pushRegistered(
                            PushRegistration(
                                provider: .apns,
                                token: "token-\(random.below(30))",
                                environment: .sandbox,
                                authorization: random.pick([.authorized, .provisional, .denied]),
                                registeredAt: now
                            )
                        ) : .pushCleared
                )
            )
        }
        let device = SDKDevice(
            id: random.pick(installations),
            platform: random.pick(["ios", "android"]),
            locale: random.maybe(60) { $0.pick(["ja_JP", "pt-BR", "zh_Hant_TW", "en"]) },
            timeZone: random.maybe(60) { $0.pick(RandomAudience.zones) }
        )
        _ = try await store.ingest(
            [
                IngestRequest(
                    workspace: workspace,
                    source: .device(device, app: app),
                    items: items
                )
            ],
            now: now
        )
    }

    private mutating func merge() async throws {
        let (source, target) = (user(), user())
        _ = try await store.apply(
            [.merge(source, into: target), .identify(user(), as: "user-\(random.below(40))")],
            in: workspace,
            now: now
        )
        // A chain within reach of one look.
        if random.chance(50) {
            _ = try await store.apply([.merge(target, into: user())], in: workspace, now: now)
        }
    }

    private mutating func delete() async throws {
        guard let profile = try await store.profile(user(), in: workspace) else { return }
        _ = try await store.deleteUsers([profile.id], in: workspace, noting: nil, now: now)
        // The next events get the numbers of the deleted ones.
        if random.chance(50) { try await track() }
    }

    private mutating func uploadList() async throws {
        let ids = (0..<random.below(20)).map { _ in "user-\(random.below(40))" }
        let found = try await store.profiles(externalIDs: ids, in: workspace)
        _ = try await store.saveUserList(
            named: "uploaded",
            profiles: Array(found.values),
            author: "a test",
            in: workspace,
            noting: nil,
            now: now
        )
    }
}
