/// The memory used by the columns in bytes, by content.
package struct AudienceMemory: Sendable, Hashable {
    package var attributes = 0
    package var dictionaries = 0
    package var devices = 0
    package var activities = 0
    package var others = 0
    package var users = 0

    package var total: Int {
        attributes + dictionaries + devices + activities + others
    }

    package static func += (left: inout AudienceMemory, right: AudienceMemory) {
        left.attributes += right.attributes
        left.dictionaries += right.dictionaries
        left.devices += right.devices
        left.activities += right.activities
        left.others += right.others
        left.users += right.users
    }

    package var bytesPerMillionUsers: Int {
        users == 0 ? 0 : Int(Double(total) * 1_000_000 / Double(users))
    }
}

extension ColumnSnapshot {
    package var memory: AudienceMemory {
        var memory = AudienceMemory()
        memory.users = count
        memory.dictionaries = catalog.memory + products.memory
        for chunk in chunks {
            memory.attributes += chunk.attributes.reduce(0) {
                $0 + $1.memory + MemoryLayout<AttributeColumn>.stride
            }
            memory.devices += chunk.devices.memory
            memory.activities += chunk.series.reduce(0) {
                $0 + $1.memory + MemoryLayout<ActivitySeries>.stride
            }
            memory.others += chunk.ids.memory + chunk.removed.bytes
        }
        memory.activities += tables.values.reduce(0) { $0 + $1.memory }
        for bitmaps in lists.values { memory.others += bitmaps.reduce(0) { $0 + $1.bytes } }
        return memory
    }
}
