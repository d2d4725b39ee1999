import Console
import Foundation
import Model

/// Made-up users with a timeline.
package struct SampleUsers: UserPages {
    private static let names = [
        ("yuki", "Yuki Tanaka"), ("ana", "Ana Souza"), ("taro", "Taro Yamada"),
        ("hiroko", "Hiroko Sato"), ("bruno", "Bruno Lima"), ("mei", "Mei Kobayashi"),
    ]

    private let count: Int
    private let now: Date

    package init(size: SampleSize, now: Date) {
        count = size.users
        self.now = now
    }

    package func users(_ query: UserQuery, for member: ConsoleMember) async throws -> UserList {
        let first = query.page.offset
        if query.text.isEmpty {
            let last = min(count, first + query.page.size)
            return UserList(
                rows: first < last ? (first..<last).map { row(Int64($0 + 1)) } : [],
                total: count,
                hasMore: last < count
            )
        }
        let text = query.text.lowercased()
        let matching = (1...max(1, min(count, 200))).map { row(Int64($0)) }.filter {
            ($0.externalID ?? "").hasPrefix(text) || $0.name.lowercased().hasPrefix(text)
        }
        let found = count == 0 ? [] : matching
        return UserList(
            rows: Array(found.dropFirst(first).prefix(query.page.size)),
            total: nil,
            hasMore: first + query.page.size < found.count
        )
    }

    package func user(id: Int64, for member: ConsoleMember) async throws -> UserProfile? {
        guard id > 0, id <= count else { return nil }
        let row = row(id)
        return UserProfile(
            row: row,
            aliases: [AttributeValue(name: "loyalty", value: "K-\(1000 + id)")],
            standardAttributes: [
                AttributeValue(name: "first_name", value: String(row.name.prefix { $0 != " " })),
                AttributeValue(name: "email", value: row.email),
                AttributeValue(name: "country", value: "JP"),
                AttributeValue(name: "language", value: "ja"),
            ],
            customAttributes: [
                AttributeValue(name: "favourite_drink", value: "hojicha latte"),
                AttributeValue(name: "stamps", value: "8"),
                AttributeValue(name: "shops", value: #"["kyoto","gion"]"#),
                AttributeValue(name: "bio", value: "<b>likes</b> & dislikes"),
            ],
            devices: [
                UserDevice(
                    model: "iPhone 16",
                    system: "iOS 19.1",
                    app: "Kissa Aoi",
                    appVersion: "4.2",
                    push: .reachable,
                    lastSeenAt: now.addingTimeInterval(-620)
                ),
                UserDevice(
                    model: "iPad Air",
                    system: "iPadOS 18.6",
                    app: "Kissa Aoi",
                    appVersion: "4.0",
                    push: .silentOnly,
                    lastSeenAt: now.addingTimeInterval(-9 * 86_400)
                ),
            ]
        )
    }

    package func timeline(
        ofUser id: Int64,
        before: Date?,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> [TimelineEntry] {
        let kinds: [(TimelineEntry.Kind, String, String, Int64?)] = [
            (.session, "4 min 12 s", "", nil),
            (.pushOpened, "Saturday only", "", 7),
            (.pushDelivered, "Saturday only", "iPhone 16", 7),
            (.purchase, "coffee_beans", #"{"price":1480,"currency":"JPY"}"#, nil),
            (.event, "viewed_menu", #"{"shop":"kyoto","items":3}"#, nil),
            (.attributes, "stamps", "7 → 8", nil),
            (.pushFailed, "We saved your basket", "Unregistered", 6),
            (.inAppShown, "Autumn card", "", nil),
        ]
        let start = before ?? now
        return (1...(before == nil ? limit : 12)).map { index in
            let entry = kinds[index % kinds.count]
            return TimelineEntry(
                at: start.addingTimeInterval(Double(-index * index) * 900),
                kind: entry.0,
                name: entry.1,
                detail: entry.2,
                pushNumber: entry.3
            )
        }
    }

    private func row(_ id: Int64) -> UserRow {
        let choice = Self.names[Int(id - 1) % Self.names.count]
        let isAnonymous = id % 9 == 0
        let externalID = id <= Self.names.count ? choice.0 : "\(choice.0)-\(id)"
        return UserRow(
            id: id,
            externalID: isAnonymous ? nil : externalID,
            name: isAnonymous ? "" : choice.1,
            email: isAnonymous ? "" : "\(externalID)@example.com",
            devices: id % 5 == 0 ? 0 : 1 + Int(id % 2),
            reachableDevices: id % 5 == 0 ? 0 : 1,
            createdAt: now.addingTimeInterval(Double(-id) * 7200 - 86_400),
            lastSeenAt: id % 7 == 0 ? nil : now.addingTimeInterval(Double(-id) * 640)
        )
    }
}
