import Console
import Foundation
import Model

/// News kept in memory.
package actor SampleNews: NewsPages {
    private var items: [Int64: NewsDetail] = [:]
    private let now: Date

    package init(size: SampleSize, now: Date) {
        self.now = now
        guard size != .empty else { return }
        let texts = [
            ("The garden terrace is open", "Shop"), ("土曜日は朝8時から営業します", "お知らせ"),
            ("Novo cardápio de outono", "Cardápio"), ("New beans from Uji", "Shop"),
        ]
        let count = size == .small ? 6 : 310
        var made: [Int64: NewsDetail] = [:]
        for number in 1...count {
            let (title, category) = texts[number % texts.count]
            var draft = NewsDraft()
            draft.title = number > texts.count ? "\(title) #\(number)" : title
            draft.text = "Come by and see it for yourself.\nWe are looking forward to you."
            draft.category = category
            draft.isDraft = number % 5 == 1
            let day = TimeInterval(86_400)
            draft.releaseFrom =
                draft.isDraft ? nil : now.addingTimeInterval(Double(number - count + 1) * day)
            draft.releaseEnd = number % 6 == 3 ? now.addingTimeInterval(-day) : nil
            made[Int64(number)] = Self.detail(
                Int64(number),
                draft,
                reads: size.users / (number + 3),
                now: now
            )
        }
        items = made
    }

    package func news(_ query: NewsListQuery, for member: ConsoleMember) async throws -> NewsList {
        let found = items.values.map(\.row).sorted { $0.id > $1.id }.filter { row in
            (query.state == nil || row.phase == query.state)
                && (query.text.isEmpty || row.title.localizedCaseInsensitiveContains(query.text))
        }
        let page = found.dropFirst(query.page.offset).prefix(query.page.size)
        return NewsList(rows: Array(page), total: found.count)
    }

    package func newsItem(id: Int64, for member: ConsoleMember) async throws -> NewsDetail? {
        items[id]
    }

    package func saveNews(
        _ draft: NewsDraft,
        id: Int64?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> Int64 {
        if let end = draft.releaseEnd, let from = draft.releaseFrom, end <= from {
            throw NewsRejected(faults: [NewsFault(.releaseEnd, .endsBeforeStart)])
        }
        let number = id ?? (items.keys.max() ?? 0) + 1
        items[number] = Self.detail(
            number,
            draft,
            reads: items[number]?.row.reads ?? 0,
            now: now
        )
        return number
    }

    package func deleteNews(id: Int64, for member: ConsoleMember) async throws {
        items[id] = nil
    }

    private static func detail(
        _ id: Int64,
        _ draft: NewsDraft,
        reads: Int,
        now: Date
    ) -> NewsDetail {
        let isEarly = draft.releaseFrom.map { $0 > now.addingTimeInterval(60) } ?? false
        let isOver = draft.releaseEnd.map { $0 <= now } ?? false
        return NewsDetail(
            row: NewsRow(
                id: id,
                title: draft.title,
                category: draft.category,
                tenantID: draft.tenant.isEmpty ? "1" : draft.tenant,
                phase: draft.isDraft ? .draft : isOver ? .ended : isEarly ? .scheduled : .published,
                releaseFrom: draft.releaseFrom,
                releaseEnd: draft.releaseEnd,
                reads: draft.isDraft ? 0 : reads,
                author: "Hanae Mori",
                changedAt: now.addingTimeInterval(-3600 * Double(id))
            ),
            draft: draft
        )
    }
}
