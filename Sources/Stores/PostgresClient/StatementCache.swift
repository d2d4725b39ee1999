/// Which statements a connection has prepared, and with which types.
///
/// A statement is prepared when it comes a second time, so one that comes once costs one trip to the server and
/// pushes nothing out. A parameter without a value takes the type that it had with a value before: a statement
/// with ten columns that may be missing is prepared once and not a thousand times.
final class StatementCache {
    /// How a statement is sent.
    struct Plan: Equatable {
        /// The types of the parameters.
        var types: [UInt32]
        /// The name under which the server knows it, or is about to.
        var name: String?
        /// It has to be prepared under the name first, which ``prepared(_:_:)`` then records.
        var isNew: Bool
    }

    private struct Variant {
        var types: [UInt32]
        var name: String?
        var lastUse: Int
    }

    /// The statements of one text, which differ in the types of their parameters.
    private final class Variants {
        var all: [Variant] = []
    }

    private var statements: [String: Variants] = [:]
    private var clock = 0
    private var abandoned: [String] = []
    /// How many statements are known, prepared or seen once.
    private(set) var count = 0

    let limit: Int
    let prepares: Bool
    /// What names begin with, other for each connection: where a pooler mixes up connections, a name that is not
    /// known is an error, and one that another client gave would be a wrong answer.
    let prefix: String

    init(limit: Int, prepares: Bool, prefix: String) {
        self.limit = max(1, limit)
        self.prepares = prepares
        self.prefix = prefix
    }

    /// How to send a statement now.
    func plan(_ sql: String, _ types: [UInt32]) -> Plan {
        clock += 1
        guard let variants = statements[sql] else {
            let variants = Variants()
            statements[sql] = variants
            return first(variants, types)
        }
        guard let index = variants.all.firstIndex(where: { Self.fits(types, $0.types) }) else {
            return first(variants, types)
        }
        variants.all[index].lastUse = clock
        let variant = variants.all[index]
        if let name = variant.name {
            return Plan(types: variant.types, name: name, isNew: false)
        }
        let name = prepares ? "\(prefix)_\(clock)" : nil
        return Plan(types: variant.types, name: name, isNew: prepares)
    }

    /// The server has prepared a statement by its plan.
    func prepared(_ sql: String, _ plan: Plan) {
        guard let name = plan.name else { return }
        guard let variants = statements[sql],
            let index = variants.all.firstIndex(where: { $0.types == plan.types })
        else {
            abandoned.append(name)
            return
        }
        variants.all[index].name = name
    }

    /// The server has not prepared it after all, as in a pipeline that failed before.
    func unprepared(_ sql: String, _ plan: Plan) {
        guard let variants = statements[sql],
            let index = variants.all.firstIndex(where: { $0.name == plan.name })
        else { return }
        variants.all[index].name = nil
    }

    /// Forgets everything, as after the tables have changed.
    func removeAll() {
        statements = [:]
        count = 0
        abandoned = ["ALL"]
    }

    /// The names to take from the server, once; `ALL` for every name.
    func takeAbandoned() -> [String] {
        guard !abandoned.isEmpty else { return [] }
        defer { abandoned = [] }
        return abandoned
    }

    private func first(_ variants: Variants, _ types: [UInt32]) -> Plan {
        var types = types
        if let known = variants.all.last?.types, known.count == types.count {
            for (index, type) in types.enumerated() where type == PostgresType.unspecified {
                types[index] = known[index]
            }
        }
        variants.all.append(Variant(types: types, name: nil, lastUse: clock))
        count += 1
        if count > limit { dropOldest() }
        return Plan(types: types, name: nil, isNew: false)
    }

    private static func fits(_ types: [UInt32], _ known: [UInt32]) -> Bool {
        types.count == known.count
            && zip(types, known).allSatisfy { $0 == $1 || $0 == PostgresType.unspecified }
    }

    private func dropOldest() {
        var oldest: (sql: String, index: Int, lastUse: Int)?
        for (sql, variants) in statements {
            for (index, variant) in variants.all.enumerated()
            where variant.lastUse < oldest?.lastUse ?? .max {
                oldest = (sql, index, variant.lastUse)
            }
        }
        guard let oldest, let variants = statements[oldest.sql] else { return }
        if let name = variants.all.remove(at: oldest.index).name { abandoned.append(name) }
        if variants.all.isEmpty { statements[oldest.sql] = nil }
        count -= 1
    }
}
