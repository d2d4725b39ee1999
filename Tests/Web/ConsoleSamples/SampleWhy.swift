import Console
import Foundation

/// Explains every push in the same way: one device opened it, the other was refused.
package struct SampleWhy: WhyPages {
    private let users: SampleUsers
    private let now: Date

    package init(size: SampleSize, now: Date) {
        users = SampleUsers(size: size, now: now)
        self.now = now
    }

    package func explain(
        _ subject: WhySubject,
        user: String,
        for member: ConsoleMember
    ) async throws -> WhyAnswer? {
        var query = UserQuery()
        query.text = user
        guard let row = try await users.users(query, for: member).rows.first else { return nil }
        let opened = WhyLaunch(
            number: 9,
            title: "Saturday only",
            at: now.addingTimeInterval(-3600),
            verdict: .opened(now.addingTimeInterval(-1800)),
            isInAudience: true,
            isSubscribed: true,
            variant: nil,
            devices: [
                WhyDevice(model: "iPhone 15", push: .reachable, state: .opened, reason: nil),
                WhyDevice(
                    model: "iPad",
                    push: .unreachable,
                    state: .rejected,
                    reason: "Unregistered"
                ),
            ]
        )
        guard case .campaign = subject else { return WhyAnswer(user: row, launches: [opened]) }
        var capped = opened
        capped.number = 8
        capped.verdict = .frequencyCap
        capped.variant = "B"
        capped.devices = []
        return WhyAnswer(user: row, launches: [opened, capped])
    }
}
