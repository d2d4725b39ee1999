import Ports
import Segments

/// A difference between columns and rows.
package struct SnapshotDifference: Sendable, Hashable, CustomStringConvertible {
    package var profile: Int64
    package var text: String

    package var description: String { "user \(profile): \(text)" }
}

extension ColumnSnapshot {
    /// Compares every value, device, occurrence and list with the rows of the same snapshot.
    ///
    /// The occurrences of each user are compared by a sum of hashes, so that ten million of them
    /// need sixteen bytes per user.
    ///
    /// - Returns: The first differences, `limit` at most.
    package func differences(
        from source: any UserRowReader,
        limit: Int = 100
    ) async throws -> [SnapshotDifference] {
        var comparison = AudienceComparison(
            columns: self,
            keptSince: try await source.keptSince(),
            limit: limit
        )
        try await source.scanProfiles { profiles in
            for profile in profiles { comparison.compare(profile) }
        }
        comparison.findUnknown()
        try await source.scanRemoved { activity, removed in
            for one in removed { comparison.add(one, of: activity) }
        }
        try await source.scanOccurrences { occurrences in
            for (profile, time) in zip(occurrences.profiles, occurrences.times) {
                comparison.add(
                    AudienceEvent(profile: profile, activity: occurrences.activity, time: time)
                )
            }
        }
        try await source.scanEvents(
            AudienceEventQuery(subject: .purchase(products: []))
        ) { events in
            for event in events where event.activity == .purchase { comparison.add(event) }
        }
        comparison.compareOccurrences()
        try await source.scanLists { comparison.compare(list: $0, $1) }
        return comparison.differences
    }

    /// The expected column values of a profile, by the numbers of the attributes; `nil` if an
    /// attribute has no column although there is room.
    fileprivate func values(of profile: AudienceProfile) -> [Int: AttributeValue]? {
        var values: [Int: AttributeValue] = [:]
        for attribute in StandardAttribute.allCases
        where attribute.isStored && !policy.rowOnly.contains(attribute) {
            values[AttributeCatalog.number(of: attribute)] = profile.value(of: attribute)
        }
        var isComplete = true
        func visit(_ members: [String: AttributeValue], _ path: [String]) {
            for (key, value) in members {
                guard let number = catalog.number(of: path + [key]) else {
                    if !catalog.isOverflowing { isComplete = false }
                    continue
                }
                values[number] = value
                if case .object(let inner) = value { visit(inner, path + [key]) }
            }
        }
        visit(profile.custom, [])
        return isComplete ? values : nil
    }

    fileprivate func kept(_ devices: [AudienceDevice]) -> [AudienceDevice] {
        Array(devices.prefix(DeviceColumn.maxDevices))
    }
}

private struct AudienceComparison {
    private let columns: ColumnSnapshot
    private let limit: Int
    private(set) var differences: [SnapshotDifference] = []
    private var seen: [RowBitmap]
    /// Sums of the hashes of each row's occurrences: those of the columns minus those of the rows.
    private var sums: [UInt64]
    private var counts: [Int32]
    private let keptSince: KeptSince
    /// What is only summed up, by activity and user.
    private var removed: [Activity: [Int64: RemovedOccurrences]] = [:]

    init(columns: ColumnSnapshot, keptSince: KeptSince, limit: Int) {
        self.columns = columns
        self.keptSince = keptSince
        self.limit = limit
        seen = Array(repeating: RowBitmap(), count: columns.chunks.count)
        sums = Array(repeating: 0, count: columns.rowCount)
        counts = Array(repeating: 0, count: columns.rowCount)
        for (activity, number) in columns.activities {
            let name = Self.hash(of: activity)
            for (index, chunk) in columns.chunks.enumerated()
            where number < chunk.series.count {
                chunk.series[number].forEach(in: ActivityWindow()) { entry in
                    let product =
                        columns.isPurchase[number]
                        ? columns.products.values[Int(entry.product)] : ""
                    let row = index * AudienceChunk.capacity + Int(entry.row)
                    sums[row] &+= Self.mix(name, entry.time, product, entry.priceInMicros)
                    counts[row] += 1
                }
                for sum in chunk.series[number].sums {
                    let row = index * AudienceChunk.capacity + Int(sum.row)
                    sums[row] &+= Self.mix(name, sum.first, sum.last, sum.count)
                    counts[row] += Int32(clamping: sum.count)
                }
            }
        }
    }

    private static func hash(of activity: Activity) -> Int {
        var hasher = Hasher()
        hasher.combine(activity)
        return hasher.finalize()
    }

    private static func mix(
        _ activity: Int,
        _ time: Int64,
        _ product: String,
        _ price: Int64
    ) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(activity)
        hasher.combine(time)
        if !product.isEmpty { hasher.combine(product) }
        hasher.combine(price)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Of what is only summed up.
    private static func mix(
        _ activity: Int,
        _ first: Int64,
        _ last: Int64,
        _ count: UInt32
    ) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(activity)
        hasher.combine(first)
        hasher.combine(last)
        hasher.combine(count)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private mutating func report(_ profile: Int64, _ text: String) {
        guard differences.count < limit else { return }
        differences.append(SnapshotDifference(profile: profile, text: text))
    }

    mutating func compare(_ profile: AudienceProfile) {
        guard let (chunk, row) = columns.place(of: profile.rowID) else {
            report(profile.rowID, "is missing from the columns")
            return
        }
        seen[chunk].insert(row)
        guard let values = columns.values(of: profile) else {
            report(profile.rowID, "has an attribute without a column")
            return
        }
        for (number, column) in columns.chunks[chunk].attributes.enumerated() {
            let dictionary = columns.catalog.dictionaries[number]
            guard !column.holds(values[number], at: row, dictionary: dictionary) else { continue }
            let held = column.value(at: row, dictionary: dictionary)
            report(
                profile.rowID,
                "attribute \(number) is \(String(describing: held)) in the columns and "
                    + "\(String(describing: values[number])) in the rows"
            )
        }
        for number in values.keys where number >= columns.chunks[chunk].attributes.count {
            report(profile.rowID, "attribute \(number) is missing from the columns")
        }
        let devices = columns.devices(chunk: chunk, row: row)
        if devices != columns.kept(profile.devices) {
            report(profile.rowID, "has other devices in the columns: \(devices)")
        }
    }

    mutating func findUnknown() {
        for (index, chunk) in columns.chunks.enumerated() {
            for row in 0..<chunk.count
            where !chunk.removed.contains(row) && !seen[index].contains(row) {
                report(chunk.ids.id(at: row), "is in the columns and not in the rows")
            }
        }
    }

    mutating func add(_ one: RemovedOccurrences, of activity: Activity) {
        if removed[activity]?[one.profile]?.add(one) == nil {
            removed[activity, default: [:]][one.profile] = one
        }
    }

    mutating func add(_ event: AudienceEvent) {
        if let since = keptSince[event.activity], event.time < since {
            let (profile, time) = (event.profile, event.time)
            return add(
                RemovedOccurrences(profile: profile, count: 1, first: time, last: time),
                of: event.activity
            )
        }
        guard let (chunk, row) = columns.place(of: event.profile) else { return }
        let index = chunk * AudienceChunk.capacity + row
        let name = Self.hash(of: event.activity)
        for _ in 0..<max(0, event.quantity) {
            sums[index] &-= Self.mix(name, event.time, event.product ?? "", event.priceInMicros)
            counts[index] -= 1
        }
    }

    mutating func compareOccurrences() {
        for (activity, users) in removed {
            let name = Self.hash(of: activity)
            for one in users.values {
                guard let (chunk, row) = columns.place(of: one.profile) else { continue }
                let index = chunk * AudienceChunk.capacity + row
                let count = UInt32(clamping: one.count)
                sums[index] &-= Self.mix(name, one.first, one.last, count)
                counts[index] -= Int32(clamping: count)
            }
        }
        for index in sums.indices where sums[index] != 0 || counts[index] != 0 {
            let (chunk, row) = index.quotientAndRemainder(dividingBy: AudienceChunk.capacity)
            let more = counts[index]
            report(
                columns.chunks[chunk].ids.id(at: row),
                more == 0
                    ? "has other occurrences in the columns than in the rows"
                    : "has \(abs(more)) occurrences \(more > 0 ? "more" : "fewer") in the columns"
            )
        }
    }

    mutating func compare(list: String, _ profiles: [Int64]) {
        guard let bitmaps = columns.lists[list] else {
            report(profiles.first ?? 0, "list \(list) is missing from the columns")
            return
        }
        for profile in profiles {
            guard let (chunk, row) = columns.place(of: profile) else { continue }
            if chunk >= bitmaps.count || !bitmaps[chunk].contains(row) {
                report(profile, "is missing from list \(list) in the columns")
            }
        }
    }
}
