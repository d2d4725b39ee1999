import Foundation
import Model
import NoroshiWire
import Ports

/// The people of the sample and what they are called.
enum SamplePeople {
    static let names = [
        ("yuki", "Yuki", "Tanaka"), ("ana", "Ana", "Souza"), ("taro", "Taro", "Yamada"),
        ("hiroko", "Hiroko", "Sato"), ("bruno", "Bruno", "Lima"), ("mei", "Mei", "Kobayashi"),
    ]

    /// The external id of the user with a number from 1.
    static func id(_ number: Int) -> String {
        let name = names[(number - 1) % names.count].0
        return number <= names.count ? name : "\(name)-\(number)"
    }

    static func installation(_ number: Int) -> UUID { SampleWorkspace.id(900_000 + number) }
}

extension SampleWorkspace {
    /// Users with attributes, phones, sessions, events and purchases.
    func addUsers() async throws {
        for number in 1...size.users {
            try await ingest(profile(number))
            if number % 5 != 0 { try await ingest(phone(number), from: try await source(number)) }
        }
        try await store.setBlocked(
            BlockedName(.event, "coupon_used"),
            to: true,
            in: workspace,
            now: now
        )
        try await store.setBlocked(
            BlockedName(.attribute, "orders"),
            to: true,
            in: workspace,
            now: now
        )
    }

    func source(_ number: Int) async throws -> IngestRequest.Source {
        guard let app = try await store.apps(in: workspace).first else {
            throw SampleError(description: "the sample has no app")
        }
        return .device(
            SDKDevice(
                id: SamplePeople.installation(number),
                platform: "ios",
                model: number % 2 == 0 ? "iPhone 16" : "iPad Air",
                osVersion: "18.6",
                appVersion: "4.2"
            ),
            app: app.id
        )
    }

    func item(_ number: Int, at time: Date, _ content: IngestItem.Content) -> IngestItem {
        IngestItem(
            recordID: UUID(),
            user: .external(SamplePeople.id(number)),
            time: time,
            content: content
        )
    }

    private func profile(_ number: Int) -> [IngestItem] {
        let name = SamplePeople.names[(number - 1) % SamplePeople.names.count]
        let made = before(Double(number) * 7200 + 86_400)
        var values: [String: JSONValue] = [
            "first_name": .string(name.1), "last_name": .string(name.2),
            "email": .string(SamplePeople.id(number) + "@example.com"),
            "country": .string(number % 6 == 2 ? "BR" : "JP"),
            "language": .string(number % 6 == 2 ? "pt" : "ja"),
            "city": .string(number % 2 == 0 ? "Osaka" : "Kyoto"),
            "favourite_drink": .string("hojicha latte"), "stamps": .integer(Int64(number % 11)),
            "shops": .array([.string("kyoto"), .string("gion")]),
            "orders": .array([]), "bio": .string("<b>likes</b> & dislikes"),
        ]
        values["is_member"] = number % 3 == 0 ? .bool(true) : nil
        var items = [
            item(number, at: made, .attributes(AttributeChanges(values))),
            item(number, at: made, .alias(name: "K-\(1000 + number)", label: "loyalty")),
        ]
        let events = ["menu_viewed", "cart_abandoned", "table_reserved", "お茶会に参加", "coupon_used"]
        for (index, event) in events.enumerated() where index == 0 || number % (index + 2) == 0 {
            let time = before(Double(number * (index + 1)) * 640)
            items.append(
                item(
                    number,
                    at: time,
                    .event(name: event, properties: ["shop": "kyoto", "items": .integer(3)])
                )
            )
        }
        if number % 4 == 1 {
            items.append(
                item(
                    number,
                    at: before(Double(number) * 800),
                    .purchase(
                        product: "coffee_beans",
                        currency: "JPY",
                        price: 1480,
                        quantity: 1,
                        properties: [:]
                    )
                )
            )
        }
        return items
    }

    private func phone(_ number: Int) -> [IngestItem] {
        let registration = PushRegistration(
            provider: .apns,
            token: String(repeating: "0", count: 58) + String(100_000 + number),
            environment: .production,
            authorization: .authorized,
            registeredAt: before(Double(number) * 7200)
        )
        let start = before(Double(number) * 640)
        return [
            item(number, at: before(Double(number) * 7200), .pushRegistered(registration)),
            item(number, at: start, .sessionStarted),
            item(number, at: start.addingTimeInterval(252), .sessionEnded(duration: 252)),
        ]
    }
}
