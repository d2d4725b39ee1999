import Reports

extension ReportEngine {
    package func composition(_ question: CompositionQuestion) async throws -> CompositionAnswer {
        try question.check()
        // A property has been refused.
        guard let traits = try UserTraits(self, question.breakdown) else {
            return CompositionAnswer(users: 0, groups: [])
        }
        let populations = try await forEachChunk { number in
            if let selected { return selected[number] }
            let chunk = columns.chunks[number]
            var rows = [UInt64](repeating: 0, count: (chunk.count + 63) / 64)
            for row in 0..<chunk.count where !chunk.removed.contains(row) { rows.insert(row) }
            return rows
        }
        let groups = try await groups(traits, of: populations, limit: question.breakdown.limit)
        let zero = Array(repeating: 0, count: groups.shown.count)
        let users = try await sum(zero) { chunk in
            var users = zero
            let masks = traits.masks(inChunk: chunk, of: populations[chunk], groups)
            populations[chunk].forEachRow { row in
                masks[row].forEachBit { users[$0] += 1 }
            }
            return users
        } adding: { total, part in
            for group in total.indices { total[group] += part[group] }
        }
        return CompositionAnswer(
            users: populations.reduce(0) { $0 + $1.reduce(0) { $0 + $1.nonzeroBitCount } },
            groups: zip(groups.shown, users).filter { $1 > 0 }
                .map { CompositionAnswer.Group($0, users: $1) }
        )
    }
}
