import Ports
import Segments

/// Fills columns that are not shared yet.
extension ColumnSnapshot {
    /// Adds profiles that are not stored yet.
    mutating func load(_ batch: AudienceProfileBatch) {
        var numbers: [Int?] = []
        for column in batch.columns {
            switch column.attribute {
            case .standard(let attribute):
                numbers.append(number(of: attribute))
            case .custom(let key, nil):
                numbers.append(catalog.number(of: key, in: nil))
            case .custom(let key, let parent?):
                numbers.append(numbers[parent].flatMap { catalog.number(of: key, in: $0) })
            }
        }
        let codes = zip(batch.columns, numbers).map { column, number in
            guard let number else { return [UInt32]() }
            return column.texts.strings.map { catalog.dictionaries[number].encode($0) }
        }
        let kinds = batch.devices.distinctKinds.map { code(of: $0) }
        var device = 0
        var start = 0
        while start < batch.rowIDs.count {
            let (chunk, first) = addRow(batch.rowIDs[start])
            var end = start + 1
            while end < batch.rowIDs.count, chunks[chunk].count < AudienceChunk.capacity {
                addRow(batch.rowIDs[end])
                end += 1
            }
            for (place, column) in batch.columns.enumerated() {
                guard let number = numbers[place] else { continue }
                chunks[chunk].reserve(attributes: number + 1)
                chunks[chunk].attributes[number].append(
                    column,
                    rows: start..<end,
                    at: first,
                    codes: codes[place],
                    dictionary: &catalog.dictionaries[number]
                )
            }
            chunks[chunk].devices.append(
                batch.devices,
                rows: start..<end,
                codes: kinds,
                from: &device
            )
            start = end
        }
    }

    /// Adds occurrences directly, without the tail that keeps snapshots cheap.
    mutating func load(_ occurrences: ActivityBatch) {
        let number = number(of: occurrences.activity)
        let since = keptSince[number]
        for chunk in chunks.indices { chunks[chunk].reserve(series: number + 1) }
        for (profile, time) in zip(occurrences.profiles, occurrences.times) {
            guard let (chunk, row) = place(of: profile) else { continue }
            guard time >= since else {
                chunks[chunk].series[number].add(ActivitySum(row: UInt16(row), time: time))
                continue
            }
            chunks[chunk].series[number].appendInOrder(
                ActivitySeries.Entry(time: time, row: UInt16(row)),
                isPurchase: false
            )
        }
    }

    /// Adds sums of what was removed.
    mutating func load(_ removed: [RemovedOccurrences], of activity: Activity) {
        let number = number(of: activity)
        for chunk in chunks.indices { chunks[chunk].reserve(series: number + 1) }
        for one in removed {
            guard let (chunk, row) = place(of: one.profile) else { continue }
            chunks[chunk].series[number].add(
                ActivitySum(
                    row: UInt16(row),
                    count: UInt32(clamping: one.count),
                    first: one.first,
                    last: one.last
                )
            )
        }
    }

    mutating func load(_ purchase: AudienceEvent) {
        guard let (chunk, row) = place(of: purchase.profile) else { return }
        let number = number(of: purchase.activity)
        chunks[chunk].reserve(series: number + 1)
        let entry = ActivitySeries.Entry(
            time: purchase.time,
            row: UInt16(row),
            product: products.encode(purchase.product ?? ""),
            priceInMicros: purchase.priceInMicros
        )
        for _ in 0..<max(0, purchase.quantity) {
            chunks[chunk].series[number].appendInOrder(entry, isPurchase: true)
        }
    }
}
