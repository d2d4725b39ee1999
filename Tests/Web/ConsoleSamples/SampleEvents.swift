import Console
import Foundation
import Model

/// Events and attributes kept in memory.
package actor SampleEvents: EventPages {
    private var rows: [EventRow] = []
    private var values: [AttributeRow] = []

    package init(size: SampleSize, now: Date) {
        guard size != .empty else { return }
        let names = ["cart_abandoned", "coupon_used", "menu_viewed", "table_reserved", "お茶会に参加"]
        let count = size == .small ? names.count : 140
        rows = (0..<count).map { number in
            EventRow(
                name: number < names.count ? names[number] : "event_\(number)",
                lastAt: now.addingTimeInterval(-Double(number * number) * 70),
                days: (0..<30).map { day in
                    (day * 7 + number * 13) % 17 * size.users / 400
                },
                isBlocked: number == 1
            )
        }
        values = [
            AttributeRow(
                name: "favourite_drink",
                share: 0.82,
                types: [.text],
                isBlocked: false
            ),
            AttributeRow(name: "points", share: 0.61, types: [.number, .text], isBlocked: false),
            AttributeRow(name: "is_member", share: 0.4, types: [.boolean], isBlocked: false),
            AttributeRow(name: "orders", share: 0.03, types: [.list], isBlocked: true),
        ]
    }

    package func events(_ query: EventQuery, for member: ConsoleMember) async throws -> EventList {
        let found = rows.filter {
            query.text.isEmpty || $0.name.localizedCaseInsensitiveContains(query.text)
        }
        let page = found.dropFirst(query.page.offset).prefix(query.page.size)
        return EventList(rows: Array(page), total: found.count)
    }

    package func attributes(for member: ConsoleMember) async throws -> [AttributeRow] { values }

    package func setBlocked(
        _ name: String,
        of kind: DataKind,
        to isBlocked: Bool,
        for member: ConsoleMember
    ) async throws {
        switch kind {
        case .event:
            for index in rows.indices where rows[index].name == name {
                rows[index].isBlocked = isBlocked
            }
        case .attribute:
            for index in values.indices where values[index].name == name {
                values[index].isBlocked = isBlocked
            }
        }
    }
}
