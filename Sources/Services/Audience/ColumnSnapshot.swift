import Ports
import Segments

/// All users in memory, stored by columns. It is a value, so that a copy is an immutable snapshot.
package struct ColumnSnapshot: Sendable {
    var chunks: [AudienceChunk] = []
    var catalog: AttributeCatalog
    var activities: [Activity: Int] = [:]
    var isPurchase: [Bool] = []
    /// The second before which occurrences are only summed up, by the activity's number.
    private(set) var keptSince: [Int64] = []
    /// The same of what devices told about messages, also of those of which nothing is there yet.
    private var interactionsKeptSince = Int64.min
    var products = StringDictionary()
    /// Device kinds, by code.
    private(set) var kinds: [AudienceDevice] = []
    private var kindCodes: [AudienceDevice: Int64] = [:]
    /// The places of profiles whose id arrived out of order; all others are found by their order.
    private var late: [Int64: Int] = [:]
    private var largestID: Int64?
    private(set) var removedCount = 0
    /// Uploaded lists: a bitmap per chunk.
    var lists: [String: [RowBitmap]] = [:]
    /// What reports have asked for of some activities.
    var tables: [Activity: PropertyTable] = [:]
    /// The last commit that these columns contain.
    package var sequence: Int64 = 0
    package let policy: ColumnPolicy
    /// The standard attributes stored in columns, with their numbers.
    private let stored: [(StandardAttribute, Int)]

    package init(policy: ColumnPolicy = ColumnPolicy()) {
        self.policy = policy
        catalog = AttributeCatalog(limit: policy.maxAttributes)
        stored = StandardAttribute.allCases.enumerated()
            .filter { $1.isStored && !policy.rowOnly.contains($1) }
            .map { ($1, $0) }
    }

    /// The number of a standard attribute that is stored in columns.
    func number(of attribute: StandardAttribute) -> Int? {
        attribute.isStored && !policy.rowOnly.contains(attribute)
            ? AttributeCatalog.number(of: attribute) : nil
    }

    /// The standard attributes that are not stored in these columns.
    var unkept: Set<StandardAttribute> {
        policy.rowOnly.union(StandardAttribute.allCases.filter { !$0.isStored })
    }

    /// Whether rows are not always in the order of the profiles' ids.
    var hasLateProfiles: Bool { !late.isEmpty }

    /// Number of users.
    package var count: Int { rowCount - removedCount }

    var rowCount: Int {
        guard let last = chunks.last else { return 0 }
        return (chunks.count - 1) * AudienceChunk.capacity + last.count
    }

    // MARK: Finding profiles

    /// The place of a profile: the number of its chunk and its row there.
    func place(of id: Int64) -> (chunk: Int, row: Int)? {
        if let largestID, id <= largestID {
            let chunk = firstChunk(reaching: id)
            if chunk < chunks.count, let row = chunks[chunk].ids.row(of: id) {
                return chunks[chunk].removed.contains(row) ? latePlace(of: id) : (chunk, row)
            }
        }
        return latePlace(of: id)
    }

    private func latePlace(of id: Int64) -> (chunk: Int, row: Int)? {
        guard let index = late[id] else { return nil }
        let (chunk, row) = index.quotientAndRemainder(dividingBy: AudienceChunk.capacity)
        return chunks[chunk].removed.contains(row) ? nil : (chunk, row)
    }

    func firstChunk(reaching id: Int64) -> Int {
        var low = 0
        var high = chunks.count
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle].ids.last < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Changing

    /// Applies one commit; skips one that is already contained.
    package mutating func apply(_ change: AudienceChange) {
        guard change.sequence > sequence else { return }
        for profile in change.profiles { upsert(profile) }
        for (from, into) in change.merged { moveActivities(from: from, into: into) }
        for (from, _) in change.merged { remove(from) }
        for id in change.removed { remove(id) }
        keep(change.keptSince)
        for event in change.events { append(event) }
        for (id, profiles) in change.lists {
            if let profiles { setList(id, profiles: profiles) } else { removeList(id) }
        }
        sequence = change.sequence
    }

    /// Writes a complete profile, new or existing.
    package mutating func upsert(_ profile: AudienceProfile) {
        if let (chunk, row) = place(of: profile.rowID) {
            update(profile, chunk: chunk, row: row)
        } else {
            insert(profile)
        }
    }

    private mutating func insert(_ profile: AudienceProfile) {
        let (chunk, row) = addRow(profile.rowID)
        forEachValue(of: profile) { columns, number, value in
            columns.chunks[chunk].reserve(attributes: number + 1)
            columns.fill(number, chunk: chunk, row: row, with: value)
        }
        setDevices(of: profile, chunk: chunk, row: row)
    }

    /// Adds a row for a profile that has none.
    @discardableResult
    mutating func addRow(_ id: Int64) -> (chunk: Int, row: Int) {
        if chunks.last.map({ $0.count == AudienceChunk.capacity }) ?? true {
            if !chunks.isEmpty { chunks[chunks.count - 1].compact(isPurchase: isPurchase) }
            chunks.append(AudienceChunk())
        }
        let chunk = chunks.count - 1
        let row = chunks[chunk].count
        chunks[chunk].ids.append(id, largest: largestID)
        if let largestID, id <= largestID {
            late[id] = chunk * AudienceChunk.capacity + row
        } else {
            largestID = id
        }
        return (chunk, row)
    }

    private mutating func update(_ profile: AudienceProfile, chunk: Int, row: Int) {
        var values: [Int: AttributeValue] = [:]
        forEachValue(of: profile) { _, number, value in values[number] = value }
        chunks[chunk].reserve(attributes: catalog.count)
        for number in chunks[chunk].attributes.indices {
            let value = values[number]
            let holds = chunks[chunk].attributes[number].holds(
                value,
                at: row,
                dictionary: catalog.dictionaries[number]
            )
            guard !holds else { continue }
            chunks[chunk].attributes[number].clear(row)
            if let value { fill(number, chunk: chunk, row: row, with: value) }
        }
        let kept = Array(profile.devices.prefix(DeviceColumn.maxDevices))
        if devices(chunk: chunk, row: row) != kept {
            setDevices(of: profile, chunk: chunk, row: row)
        }
    }

    private mutating func fill(_ number: Int, chunk: Int, row: Int, with value: AttributeValue) {
        chunks[chunk].attributes[number].fill(
            row,
            with: value,
            dictionary: &catalog.dictionaries[number]
        )
    }

    /// Calls `body` with the number and the value of each attribute of the profile, including
    /// members of objects.
    private mutating func forEachValue(
        of profile: AudienceProfile,
        _ body: (inout ColumnSnapshot, Int, AttributeValue) -> Void
    ) {
        for (attribute, number) in stored {
            if let value = profile.value(of: attribute) { body(&self, number, value) }
        }
        visit(profile.custom, in: nil, body)
    }

    private mutating func visit(
        _ members: [String: AttributeValue],
        in parent: Int?,
        _ body: (inout ColumnSnapshot, Int, AttributeValue) -> Void
    ) {
        for (key, value) in members {
            guard let number = catalog.number(of: key, in: parent) else { continue }
            body(&self, number, value)
            if case .object(let inner) = value { visit(inner, in: number, body) }
        }
    }

    package mutating func remove(_ id: Int64) {
        guard let (chunk, row) = place(of: id) else { return }
        chunks[chunk].removed.insert(row)
        chunks[chunk].removedCount += 1
        removedCount += 1
        for number in chunks[chunk].attributes.indices {
            let dictionary = catalog.dictionaries[number]
            if chunks[chunk].attributes[number].value(at: row, dictionary: dictionary) != nil {
                chunks[chunk].attributes[number].clear(row)
            }
        }
        chunks[chunk].devices.set(kinds: [], at: row)
        for number in chunks[chunk].series.indices {
            _ = chunks[chunk].series[number].take(UInt16(row), isPurchase: isPurchase[number])
            _ = chunks[chunk].series[number].takeSum(UInt16(row))
        }
        for activity in tables.keys { tables[activity]?.move(from: (chunk, row), to: nil) }
    }

    private mutating func moveActivities(from source: Int64, into target: Int64) {
        guard let from = place(of: source), let into = place(of: target) else { return }
        for number in chunks[from.chunk].series.indices {
            let isPurchase = isPurchase[number]
            let taken = chunks[from.chunk].series[number].take(
                UInt16(from.row),
                isPurchase: isPurchase
            )
            let sum = chunks[from.chunk].series[number].takeSum(UInt16(from.row))
            guard !taken.isEmpty || sum != nil else { continue }
            chunks[into.chunk].reserve(series: number + 1)
            if var sum {
                sum.row = UInt16(into.row)
                chunks[into.chunk].series[number].add(sum)
            }
            for var entry in taken {
                entry.row = UInt16(into.row)
                chunks[into.chunk].series[number].append(entry, isPurchase: isPurchase)
            }
        }
        for activity in tables.keys { tables[activity]?.move(from: from, to: into) }
    }

    // MARK: Devices

    private mutating func setDevices(of profile: AudienceProfile, chunk: Int, row: Int) {
        let codes = profile.devices.map { code(of: $0) }
        chunks[chunk].devices.set(kinds: codes, at: row)
    }

    mutating func code(of kind: AudienceDevice) -> Int64 {
        // Comparing with a few kinds is faster than hashing all of a device's fields.
        if kinds.count <= 8, let known = kinds.firstIndex(of: kind) { return Int64(known) }
        if let known = kindCodes[kind] { return known }
        let code = Int64(kinds.count)
        kinds.append(kind)
        kindCodes[kind] = code
        return code
    }

    func devices(chunk: Int, row: Int) -> [AudienceDevice] {
        let column = chunks[chunk].devices
        return column.range(at: row).map { kinds[Int(column.kinds.value(at: $0) ?? 0)] }
    }

    // MARK: Activities

    mutating func number(of activity: Activity) -> Int {
        if let known = activities[activity] { return known }
        let number = isPurchase.count
        activities[activity] = number
        isPurchase.append(activity == .purchase)
        keptSince.append(activity.isInteraction ? interactionsKeptSince : .min)
        return number
    }

    /// The second before which an activity's occurrences are only summed up.
    func keptSince(of activity: Activity) -> Int64? {
        activities[activity].map { keptSince[$0] }.flatMap { $0 == .min ? nil : $0 }
    }

    /// The second before which what devices told about messages is only summed up.
    var keptInteractionsSince: Int64? {
        interactionsKeptSince == .min ? nil : interactionsKeptSince
    }

    /// Sums up what is older.
    mutating func keep(_ kept: KeptSince) {
        for (activity, second) in kept.activities { keep(activity, since: second) }
        guard let second = kept.interactions, second > interactionsKeptSince else { return }
        interactionsKeptSince = second
        for activity in activities.keys where activity.isInteraction {
            keep(activity, since: second)
        }
    }

    private mutating func keep(_ activity: Activity, since second: Int64) {
        let number = number(of: activity)
        guard second > keptSince[number] else { return }
        keptSince[number] = second
        // A table holds single occurrences, and is made again without these when it is asked for.
        tables[activity] = nil
        for chunk in chunks.indices where number < chunks[chunk].series.count {
            let rows = chunks[chunk].count
            chunks[chunk].series[number].sumUp(before: second, rows: rows)
        }
    }

    /// Adds an occurrence; ignores one of an unknown profile.
    package mutating func append(_ event: AudienceEvent) {
        guard let (chunk, row) = place(of: event.profile) else { return }
        let number = number(of: event.activity)
        var entry = ActivitySeries.Entry(time: event.time, row: UInt16(row))
        if event.time < keptSince[number] {
            chunks[chunk].reserve(series: number + 1)
            chunks[chunk].series[number].add(ActivitySum(row: entry.row, time: entry.time))
            return
        }
        if isPurchase[number] {
            entry.product = products.encode(event.product ?? "")
            entry.priceInMicros = event.priceInMicros
        }
        chunks[chunk].reserve(series: number + 1)
        for _ in 0..<max(0, event.quantity) {
            chunks[chunk].series[number].append(entry, isPurchase: isPurchase[number])
        }
        addToTable(event, chunk: chunk, row: row)
    }

    /// Adds an occurrence that the columns have already to the activity's table, if there is one.
    mutating func addToTable(_ event: AudienceEvent) {
        guard let (chunk, row) = place(of: event.profile) else { return }
        addToTable(event, chunk: chunk, row: row)
    }

    private mutating func addToTable(_ event: AudienceEvent, chunk: Int, row: Int) {
        guard tables[event.activity] != nil else { return }
        tables[event.activity]?.append(event, chunk: chunk, row: row)
        if tables[event.activity]?.isTooLarge == true { tables[event.activity] = nil }
    }

    /// How many occurrences of an activity there are.
    func count(of activity: Activity) -> Int {
        guard let number = activities[activity] else { return 0 }
        return chunks.reduce(0) { sum, chunk in
            sum + (number < chunk.series.count ? chunk.series[number].count : 0)
        }
    }

    // MARK: Lists

    /// Replaces an uploaded list; ignores ids of unknown users.
    package mutating func setList(_ id: String, profiles: some Sequence<Int64>) {
        var bitmaps = Array(repeating: RowBitmap(), count: chunks.count)
        for profile in profiles {
            guard let (chunk, row) = place(of: profile) else { continue }
            bitmaps[chunk].insert(row)
        }
        lists[id] = bitmaps
    }

    package mutating func removeList(_ id: String) {
        lists[id] = nil
    }

    /// Releases unused memory after many changes.
    package mutating func compact() {
        for index in chunks.indices { chunks[index].compact(isPurchase: isPurchase) }
    }
}

extension StandardAttribute {
    /// The others are derived from the row id, the devices or the evaluation time.
    var isStored: Bool {
        self != .age && self != .randomBucket && self != .deviceCount
    }
}

extension AudienceChunk {
    mutating func compact(isPurchase: [Bool]) {
        ids.compact()
        removed.compact()
        for index in attributes.indices { attributes[index].compact() }
        devices.compact()
        for index in series.indices { series[index].compact(isPurchase: isPurchase[index]) }
        series = series.withExactCapacity
        attributes = attributes.withExactCapacity
    }
}
