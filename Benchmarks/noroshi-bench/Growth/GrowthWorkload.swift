import Foundation
import Model
import NoroshiWire

/// What happens on each day, the same in every run.
struct GrowthWorkload: Sendable {
    static let batch = 1_000
    private static let names = (1...20).map { "event \($0)" }

    let events: Int
    let users: Int
    /// Percent of the events.
    let sessions: Int

    /// What comes together on a day, in the order of time.
    ///
    /// - Parameter first: The place of its first event in the day.
    func batch(from first: Int, ofDay day: Int, from start: Date) -> [IngestItem] {
        (first..<min(first + Self.batch, events)).map { number in
            item(UInt64(day) &* 1_000_003 &+ UInt64(number), start, number)
        }
    }

    private func item(_ seed: UInt64, _ start: Date, _ number: Int) -> IngestItem {
        let random = IngestWorkload.mix(seed)
        // Some users do much more than others.
        let share = Double(random >> 11) * 0x1p-53
        let user = Int(share * share * Double(users))
        let content: IngestItem.Content =
            random % 100 < UInt64(sessions)
            ? .sessionStarted
            : .event(
                name: Self.names[Int(random >> 32) % Self.names.count],
                properties: [
                    "item": .string("item-\(random % 5_000)"),
                    "amount": .integer(Int64((random >> 8) % 1_000)),
                ]
            )
        return IngestItem(
            recordID: nil,
            user: .external("user-\(user)"),
            time: start.addingTimeInterval(Double(number) / Double(events) * 86_400),
            content: content
        )
    }
}
