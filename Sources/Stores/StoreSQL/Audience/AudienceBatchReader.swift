import Model
import Ports
import Relational
import Segments

/// Reads profiles with their devices straight into a batch, without an object for each.
struct AudienceBatchReader {
    private typealias Text = UnsafeBufferPointer<UInt8>

    private let database: Database
    private let skipped: Set<Segments.StandardAttribute>
    private let unreadable: UnreadableRows
    private let apps: [Int64: String]
    private var batch = AudienceProfileBatch()
    private var standardKeys = KeyInterner()
    /// The columns of standard attributes, indexed by the numbers of their keys.
    private var standardPlaces: [(attribute: Segments.StandardAttribute, place: Int)?] = []
    private var customKeys = KeyInterner()
    private var customPlaces: [Int] = []
    /// The distinct contents of device rows, and the kind's number in the batch for each.
    private var kindTexts = StringInterner()
    private var kinds: [UInt32] = []

    init(
        _ database: Database,
        skipping skipped: Set<Segments.StandardAttribute>,
        _ unreadable: UnreadableRows
    ) throws {
        self.database = database
        self.unreadable = unreadable
        self.skipped = skipped
        apps = try AudienceProfileRows.apps(database)
    }

    /// The profiles of a workspace within a range of ids, in their order.
    mutating func page(
        of workspace: WorkspaceID,
        after id: Int64,
        through last: Int64
    ) throws -> AudienceProfileBatch {
        do {
            return try page(of: workspace, after: id, through: last, checkingRows: false)
        } catch let error as StoreError where error.code == .unreadable {
            // A row that was started cannot be removed from the batch, so the second pass checks
            // each row first.
            self = try AudienceBatchReader(database, skipping: skipped, unreadable)
            return try page(of: workspace, after: id, through: last, checkingRows: true)
        }
    }

    private mutating func page(
        of workspace: WorkspaceID,
        after id: Int64,
        through last: Int64,
        checkingRows: Bool
    ) throws -> AudienceProfileBatch {
        batch = AudienceProfileBatch()
        var latest = try LatestDevices(
            database,
            where: "profile_id > ? AND profile_id <= ?",
            arguments: [id, last]
        )
        try RawRows.forEach(
            database,
            sql: AudienceProfileRows.pageOfProfiles,
            arguments: [id, last, workspace.rawValue]
        ) {
            let row = $0
            let isReadable =
                try !checkingRows
                || unreadable.value("profiles", row.integer(0), { try check(row) }) != nil
            let report = latest.report(of: row.integer(0))
            if isReadable { try readProfile(row, report) }
            return true
        }
        guard !batch.rowIDs.isEmpty else { return batch }
        var place = 0
        try RawRows.forEach(
            database,
            sql: AudienceProfileRows.pageOfDevices,
            arguments: [id, last]
        ) { row in
            let owner = row.integer(0)
            while place < batch.rowIDs.count, batch.rowIDs[place] < owner { place += 1 }
            guard place < batch.rowIDs.count else { return false }
            if batch.rowIDs[place] == owner { readDevice(row, of: place) }
            return true
        }
        return batch
    }

    // MARK: Profiles

    private func check(_ row: RawRows) throws {
        for column: Int32 in 7...9 {
            if let time = row.optionalInteger(column) { try StoredTime.check(time) }
        }
        for column: Int32 in 4...5 {
            try row.withText(column) { try StoredValueReader.check($0) }
        }
    }

    private mutating func readProfile(_ row: RawRows, _ latest: LatestDevices.Report?) throws {
        batch.beginRow(row.integer(0))
        // Values from dedicated columns come first and take precedence over attributes.
        setText(.externalID, row, 2)
        setText(.pushSubscription, row, 3)
        batch.append(
            number: Double(row.integer(6)),
            to: batch.place(of: .standard(.sessionCount))
        )
        try setTime(.firstSessionAt, row, 7)
        try setTime(.lastSessionAt, row, 8)
        try setTime(.createdAt, row, 9)
        try row.withText(4) { try readStandardAttributes($0) }
        // Defaults come last: the first value of an attribute is kept.
        setText(.emailSubscription, SubscriptionState.subscribed.rawValue)
        if let place = latest?.place {
            setText(.language, place.language)
            setText(.country, place.country)
        }
        setText(.timeZone, latest?.timeZone)
        try row.withText(5) { try readCustomAttributes($0) }
    }

    private mutating func setText(
        _ attribute: Segments.StandardAttribute,
        _ row: RawRows,
        _ column: Int32
    ) {
        guard !skipped.contains(attribute), !row.isNull(column) else { return }
        let place = batch.place(of: .standard(attribute))
        row.withText(column) { batch.append(text: $0, to: place) }
    }

    private mutating func setText(
        _ attribute: Segments.StandardAttribute,
        _ text: String?
    ) {
        guard !skipped.contains(attribute), var text else { return }
        let place = batch.place(of: .standard(attribute))
        text.withUTF8 { batch.append(text: $0, to: place) }
    }

    private mutating func setTime(
        _ attribute: Segments.StandardAttribute,
        _ row: RawRows,
        _ column: Int32
    ) throws {
        guard let time = row.optionalInteger(column) else { return }
        try StoredTime.check(time)
        batch.append(
            time: time.secondsFromMilliseconds,
            to: batch.place(of: .standard(attribute))
        )
    }

    private mutating func readStandardAttributes(_ bytes: Text) throws {
        try StoredValueReader.forEachMember(of: bytes) { key, reader in
            guard let (attribute, place) = standardPlace(of: key) else {
                _ = try reader.value()
                return
            }
            if attribute.kind == .string, reader.isAtText {
                try reader.text { text in
                    if StoredValueReader.time(text) == nil { batch.append(text: text, to: place) }
                }
            } else if let value = try reader.value(),
                let known = AudienceProfileRows.value(value, of: attribute)
            {
                batch.append(known, to: place)
            }
        }
    }

    private mutating func standardPlace(of key: Text) -> (Segments.StandardAttribute, Int)? {
        let number = standardKeys.number(of: key)
        if number == standardPlaces.count {
            let name = String(decoding: key, as: UTF8.self)
            let attribute = AudienceProfileRows.attributes[name]
            standardPlaces.append(
                attribute.flatMap { skipped.contains($0) ? nil : $0 }
                    .map { ($0, batch.place(of: .standard($0))) }
            )
        }
        return standardPlaces[number]
    }

    private mutating func readCustomAttributes(_ bytes: Text) throws {
        try StoredValueReader.forEachMember(of: bytes) { key, reader in
            let place = customPlace(of: key)
            if reader.isAtText {
                try reader.text { text in
                    if let time = StoredValueReader.time(text) {
                        batch.append(time: time, to: place)
                    } else {
                        batch.append(text: text, to: place)
                    }
                }
            } else if let value = try reader.value() {
                batch.append(value, to: place)
            }
        }
    }

    private mutating func customPlace(of key: Text) -> Int {
        let number = customKeys.number(of: key)
        if number == customPlaces.count {
            let name = String(decoding: key, as: UTF8.self)
            customPlaces.append(batch.place(of: .custom(name, parent: nil)))
        }
        return customPlaces[number]
    }

    // MARK: Devices

    private mutating func readDevice(_ row: RawRows, of place: Int) {
        batch.devices.append(kind: kind(of: row), row: place)
    }

    /// The number of the row's kind. A device is decoded only if no earlier row had the same
    /// columns.
    private mutating func kind(of row: RawRows) -> UInt32 {
        let number = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { buffer in
            var count = 0
            var fits = true
            func write(_ byte: UInt8) {
                if count < buffer.count { buffer[count] = byte } else { fits = false }
                count += 1
            }
            for column in AudienceProfileRows.kindColumns {
                // The separator is a byte that occurs in no text; NULL and an empty text differ.
                write(row.isNull(column) ? 0xFE : 0xFF)
                row.withText(column) { for byte in $0 { write(byte) } }
            }
            write(row.isNull(AudienceProfileRows.tokenColumn) ? 0xFE : 0xFF)
            guard fits else { return UInt32?.none }
            return kindTexts.number(of: UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
        guard let number else {
            return batch.devices.number(of: AudienceProfileRows.device(row, apps))
        }
        if number == kinds.count {
            kinds.append(batch.devices.number(of: AudienceProfileRows.device(row, apps)))
        }
        return kinds[Int(number)]
    }
}

/// Numbers the keys of objects in order of first appearance.
///
/// Rows mostly have the same keys in the same order, so a key is first compared with the one that
/// followed the last time.
private struct KeyInterner {
    private var keys = StringInterner()
    private var followers: [Int] = []
    private var previous = 0

    mutating func number(of key: UnsafeBufferPointer<UInt8>) -> Int {
        if previous < followers.count {
            let guess = followers[previous]
            if keys.isText(guess, equalTo: key) {
                previous = guess
                return guess
            }
        }
        let number = Int(keys.number(of: key))
        if number == followers.count { followers.append(0) }
        followers[previous] = number
        previous = number
        return number
    }
}
