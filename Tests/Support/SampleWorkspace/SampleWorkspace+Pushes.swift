import Foundation
import Model
import NoroshiWire
import Ports

extension SampleWorkspace {
    private static let texts: [(title: String, body: String)] = [
        ("Saturday only", "{{${first_name}}}, your second cup is on us until 6 pm."),
        ("新メニューのお知らせ", "季節限定「ほうじ茶ラテ」が本日から登場。最寄りの店舗でお待ちしています。"),
        ("", "Your card has 8 of 10 stamps. Two more and the next drink is free."),
        ("Frete grátis hoje", "Oi, {{${first_name}}}! Só até meia-noite, em todo o Brasil."),
        ("A table near you", "Rain again? The Kyoto branch has room, and the roaster is on."),
        ("ポイント有効期限", "120ポイントが今月末で失効します。お早めにご利用ください。"),
        ("We saved your basket", "Two bags of Ethiopia Guji are still waiting for you."),
    ]

    /// Pushes: the last one is reserved, the one before runs, one was stopped, the others are done.
    func addPushes() async throws {
        for number in 1...size.pushes {
            let age = Double(size.pushes - number)
            let content = try await content(number)
            switch size.pushes - number {
            case 0:
                _ = try await store.createSend(
                    content,
                    in: workspace,
                    scheduledAt: now.addingTimeInterval(5400),
                    now: before(600)
                )
            case 5:
                let send = try await store.createSend(
                    content,
                    in: workspace,
                    scheduledAt: before(age * age * 5000),
                    now: before(age * age * 5000 + 600)
                )
                _ = try await store.control(send.id, .stop, noting: nil, now: send.createdAt)
            default:
                try await deliver(content, at: before(age * age * 500 + 300), isDone: age > 1)
            }
        }
    }

    private func content(_ number: Int) async throws -> SendContent {
        let text = Self.texts[number % Self.texts.count]
        var message = PushMessage(title: text.title, body: text.body)
        message.uri = "https://aoi.example/menu/\(number)"
        message.keyValuePairs = ["screen": "menu"]
        message.badge = .set(1)
        if number % 3 == 0 { message.category = "ab_push_yes_no" }
        var content = SendContent(message: message, audience: .everyone, author: "Hanae Mori")
        // Most of many pushes go to one user, which takes no time to write.
        if number % 5 == 2 || number < size.pushes - 12 {
            let known = try await store.profiles(externalIDs: ["yuki"], in: workspace)
            content.audience = .profiles(Array(known.values))
        }
        return content
    }

    /// Plans a push and writes down what came of it, as its workers would.
    private func deliver(_ content: SendContent, at time: Date, isDone: Bool) async throws {
        var content = content
        if !isDone { content.messagesPerMinute = 1 }
        let send = try await store.createSend(
            content,
            in: workspace,
            scheduledAt: time,
            now: time
        )
        _ = try await store.startPlanningDueSends(now: time)
        while try await !store.planNextBatch(of: send.id, limit: 1000, now: time).isComplete {}
        let request = ClaimRequest(
            limit: 10_000,
            owner: "sample",
            leaseEnd: time.addingTimeInterval(60),
            now: time
        )
        while case let rows = try await store.claimDispatches(request).rows, !rows.isEmpty {
            let results = rows.enumerated().map { index, row in
                DispatchUpdate(
                    send: row.send,
                    device: row.device.id,
                    change: index % 17 == 16
                        ? .rejected(reason: "Unregistered", retiresToken: false)
                        : .accepted(providerID: nil)
                )
            }
            try await store.record(results, now: time)
        }
        guard isDone else { return }
        _ = try await store.markFinishedSends(now: time.addingTimeInterval(41))
        try await report(send, after: time)
    }

    /// Some phones tell of a push, some people open it.
    private func report(_ send: Send, after time: Date) async throws {
        guard case .everyone = send.content.audience else { return }
        let unknown = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        for number in 1...min(12, size.users) where number % 5 != 0 {
            let kinds: [SDKRecord.PushInteraction.Kind] =
                number % 3 == 0
                ? [.received, .opened] : number % 4 == 0 ? [.dismissed] : [.received]
            let items = kinds.enumerated().map { index, kind in
                item(
                    number,
                    at: time.addingTimeInterval(Double(index + 1) * 30),
                    .pushInteraction(
                        SDKRecord.PushInteraction(
                            kind: kind,
                            dispatch: unknown,
                            pushNumber: send.id.rawValue
                        )
                    )
                )
            }
            try await ingest(items, from: try await source(number))
        }
    }
}
