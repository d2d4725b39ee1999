import Console
import Foundation
import Model

/// Pushes and days that look like a café chain's.
enum SamplePushes {
    private static let texts: [(title: String, message: String)] = [
        ("Saturday only", "{{${first_name}}}, your second cup is on us until 6 pm."),
        ("新メニューのお知らせ", "季節限定「ほうじ茶ラテ」が本日から登場。最寄りの店舗でお待ちしています。"),
        ("", "Your card has 8 of 10 stamps. Two more and the next drink is free."),
        ("Frete grátis hoje", "Oi, {{${first_name}}}! Só até meia-noite, em todo o Brasil."),
        ("A table near you", "Rain again? The Kyoto branch has room, and the roaster is on."),
        ("ポイント有効期限", "120ポイントが今月末で失効します。お早めにご利用ください。"),
        ("We saved your basket", "Two bags of Ethiopia Guji are still waiting for you."),
    ]
    private static let audiences: [PushAudience] = [
        .everyone, .segment(id: 1, name: "Kyoto regulars"), .user(externalID: "yuki"),
        .filter("city = \"Kyoto\""), .everyone,
    ]

    static func make(_ count: Int, users: Int, now: Date) -> [PushDetail] {
        guard count > 0 else { return [] }
        return (1...count).map { number in
            let age = Double(count - number)
            let text = texts[number % texts.count]
            let audience = audiences[number % audiences.count]
            var draft = PushDraft()
            draft.title = text.title
            draft.message = text.message
            draft.audience = audience
            draft.url = "https://aoi.example/menu/\(number)"
            draft.pairs = [PushPair(key: "screen", value: "menu")]
            draft.badge = .set(1)
            draft.buttons = number % 3 == 0 ? .yesNo : .none
            let state: SendPhase =
                switch count - number {
                case 0: .scheduled
                case 1: .running
                case 5: .cancelled
                default: .done
                }
            let date = now.addingTimeInterval(state == .scheduled ? 5400 : -age * age * 5000 - 300)
            let summary = PushSummary(
                number: Int64(number),
                title: text.title,
                message: text.message,
                audience: audience,
                state: state,
                createdAt: min(now, date).addingTimeInterval(-600),
                deliverAt: date,
                figures: figures(number, audience, state, users)
            )
            return detail(summary, draft, date)
        }
    }

    private static func figures(
        _ number: Int,
        _ audience: PushAudience,
        _ state: SendPhase,
        _ users: Int
    ) -> PushFigures {
        var figures = PushFigures()
        let reach = if case .user = audience { 1 } else { users * (40 + number * 7 % 31) / 100 }
        figures.planned = state == .cancelled || state == .scheduled ? 0 : reach
        figures.delivered = state == .running ? reach * 62 / 100 : figures.planned * 98 / 100
        if figures.planned == 1 { figures.delivered = 1 }
        figures.rejected = state == .running ? 0 : figures.planned - figures.delivered
        figures.unknown = figures.rejected / 9
        figures.rejected -= figures.unknown
        figures.received = figures.delivered * 93 / 100
        figures.directOpens = figures.delivered * (6 + number % 9) / 100
        figures.influencedOpens = figures.delivered * (3 + number % 4) / 100
        figures.dismissed = figures.delivered * 31 / 100
        return figures
    }

    private static func detail(_ push: PushSummary, _ draft: PushDraft, _ date: Date) -> PushDetail
    {
        var detail = PushDetail(summary: push, draft: draft, author: "Hanae Mori")
        guard push.figures.planned > 0 else { return detail }
        detail.startedAt = date
        detail.finishedAt = push.state == .done ? date.addingTimeInterval(41) : nil
        if push.figures.rejected > 0 {
            detail.failures = [
                PushFailure(reason: "Unregistered", count: push.figures.rejected * 4 / 5),
                PushFailure(reason: "BadDeviceToken", count: push.figures.rejected / 5 + 1),
            ]
        }
        detail.opens = (0..<24).map { hour in
            let share = exp(-Double(hour) / 5) / 5.4
            return OpensInTime(
                from: date.addingTimeInterval(Double(hour) * 3600),
                direct: Int(Double(push.figures.directOpens) * share),
                influenced: Int(Double(push.figures.influencedOpens) * share)
            )
        }
        let states: [Console.DispatchState] = [
            .opened, .received, .delivered, .rejected, .dismissed,
        ]
        detail.dispatches = states.enumerated().map { index, state in
            DispatchRow(
                userID: Int64(index + 1),
                userName: ["yuki", "ana", "taro", "hiroko", "bruno"][index],
                device: ["iPhone 16", "iPhone 15 Pro", "Pixel 9", "iPad Air", "iPhone SE"][index],
                state: state,
                reason: state == .rejected ? "Unregistered" : nil,
                changedAt: date.addingTimeInterval(Double(60 + index * 7))
            )
        }
        return detail
    }

    static func days(_ count: Int, users: Int, before now: Date, skip: Int) -> [DayFigures] {
        (0..<count).map { index in
            let day = now.addingTimeInterval(Double(index - count + 1 - skip) * 86_400)
            let wave =
                1 + 0.35 * sin(Double(index + skip) * 0.9)
                + 0.2 * sin(Double(index + skip) * 2.3)
            let delivered = Int(Double(users) * 0.32 * max(0.1, wave))
            return DayFigures(
                day: day,
                sessions: Int(Double(users) * 0.6 * wave),
                newUsers: users / 90,
                delivered: delivered,
                opened: Int(Double(delivered) * (0.14 + 0.04 * cos(Double(index))))
            )
        }
    }
}
