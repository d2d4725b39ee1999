import Reports

extension ReportEngine {
    /// What one chunk has to say.
    private struct FunnelPart: Sendable {
        /// How far each row came.
        var reached: [UInt8]
        /// The number of the breakdown's value of each row.
        var groups: [UInt32]
        var users: [Int]
        /// Between a step and the one before, by step: of each user who reached it.
        var seconds: [[Int32]]

        var population: [UInt64] {
            var rows = [UInt64](repeating: 0, count: (reached.count + 63) / 64)
            for row in reached.indices where reached[row] > 0 { rows.insert(row) }
            return rows
        }
    }

    package func funnel(_ question: FunnelQuestion) async throws -> FunnelAnswer {
        try question.check()
        let boundaries = try question.period.boundaries()
        let period = boundaries[0]..<boundaries[boundaries.count - 1]
        let rule = FunnelRule(question, period: period)
        let range = period.lowerBound..<(period.upperBound + Int64(question.window))
        let property = question.breakdown?.property
        let activities = question.steps.map {
            ($0, OccurrenceSource.Needs(constant: question.constant))
        }
        let exclusions = question.exclusions.map { ($0.activity, OccurrenceSource.Needs()) }
        // The first step is read with its breakdown, by itself.
        let steps = try await OccurrenceSource(self, in: range, activities)
        let first =
            property == nil
            ? nil
            : try await OccurrenceSource(
                self,
                in: range,
                [(question.steps[0], .init(constant: question.constant, group: property))]
            )
        let excluded = try await OccurrenceSource(self, in: range, exclusions)
        let parts = try await forEachChunk { chunk in
            Self.part(
                question,
                rule,
                rows: columns.chunks[chunk].count,
                steps: steps.tables(ofChunk: chunk),
                numbers: question.steps.map(steps.number),
                first: first?.tables(ofChunk: chunk).first,
                excluded: excluded.tables(ofChunk: chunk),
                excludedNumbers: question.exclusions.map { excluded.number(of: $0.activity) }
            )
        }
        var answer = FunnelAnswer(
            steps: question.steps.indices.map { step in
                let users = parts.reduce(0) { $0 + $1.users[step] }
                let seconds = parts.map { $0.seconds[step] }
                return FunnelAnswer.Step(
                    users: users,
                    averageSeconds: step == 0 ? nil : Quantile.average(seconds),
                    medianSeconds: step == 0 ? nil : Quantile.median(seconds).map(Int64.init)
                )
            }
        )
        if let breakdown = question.breakdown {
            answer.groups = try await groups(breakdown, parts, first?.groups ?? [])
        }
        return answer
    }

    private static func part(
        _ question: FunnelQuestion,
        _ rule: FunnelRule,
        rows: Int,
        steps tables: [OccurrenceTable],
        numbers: [Int],
        first: OccurrenceTable?,
        excluded: [OccurrenceTable],
        excludedNumbers: [Int]
    ) -> FunnelPart {
        let count = numbers.count
        var part = FunnelPart(
            reached: Array(repeating: 0, count: rows),
            groups: first == nil ? [] : Array(repeating: FoundOccurrence.missing, count: rows),
            users: Array(repeating: 0, count: count),
            seconds: Array(repeating: [], count: count)
        )
        var (best, scratch) = (FunnelRule.Attempt(steps: count), FunnelRule.Attempt(steps: count))
        let nothing = FunnelRule.Times(start: nil, count: 0)
        var steps = Array(repeating: nothing, count: count)
        var exclusions = Array(repeating: nothing, count: excludedNumbers.count)
        let firsts = first ?? tables[numbers[0]]
        for row in 0..<rows where !firsts.isEmpty(row) {
            best.clear()
            for (place, number) in excludedNumbers.enumerated() {
                exclusions[place] = excluded[number].times(of: row)
            }
            if question.constant == nil {
                for (step, number) in numbers.enumerated() {
                    steps[step] = tables[number].times(of: row)
                }
                steps[0] = firsts.times(of: row)
                rule.attempt(
                    steps,
                    groups: firsts.groups(of: row),
                    excluded: exclusions,
                    best: &best,
                    scratch: &scratch
                )
            } else {
                firsts.forEachConstant(of: row) { constant, times, groups in
                    for (step, number) in numbers.enumerated() {
                        steps[step] = tables[number].times(of: row, constant: constant)
                    }
                    steps[0] = times
                    rule.attempt(
                        steps,
                        groups: groups,
                        excluded: exclusions,
                        best: &best,
                        scratch: &scratch
                    )
                }
            }
            guard best.reached > 0 else { continue }
            part.reached[row] = UInt8(best.reached)
            if first != nil { part.groups[row] = best.group }
            for step in 0..<best.reached {
                part.users[step] += 1
                guard step > 0 else { continue }
                part.seconds[step].append(Int32(best.times[step] - best.times[step - 1]))
            }
        }
        // The tables own what the times point to.
        return withExtendedLifetime((tables, first, excluded)) { part }
    }

    private func groups(
        _ breakdown: ReportBreakdown,
        _ parts: [FunnelPart],
        _ texts: [String]
    ) async throws -> [FunnelAnswer.Group] {
        let steps = parts.first?.users.count ?? 0
        guard let traits = try UserTraits(self, breakdown) else {
            return propertyGroups(breakdown, parts, texts)
        }
        let populations = parts.map(\.population)
        let groups = try await groups(traits, of: populations, limit: breakdown.limit)
        let zero = Array(
            repeating: Array(repeating: 0, count: steps),
            count: groups.shown.count
        )
        let users = try await sum(zero) { chunk in
            var users = zero
            let population = populations[chunk]
            let masks = traits.masks(inChunk: chunk, of: population, groups)
            population.forEachRow { row in
                masks[row].forEachBit { group in
                    for step in 0..<Int(parts[chunk].reached[row]) { users[group][step] += 1 }
                }
            }
            return users
        } adding: { total, part in
            for group in total.indices {
                for step in total[group].indices { total[group][step] += part[group][step] }
            }
        }
        return zip(groups.shown, users)
            .filter { $0 != .missing || $1.first ?? 0 > 0 }
            .map { FunnelAnswer.Group($0, users: $1) }
    }

    private func propertyGroups(
        _ breakdown: ReportBreakdown,
        _ parts: [FunnelPart],
        _ texts: [String]
    ) -> [FunnelAnswer.Group] {
        let steps = parts.first?.users.count ?? 0
        var began = Array(repeating: 0, count: texts.count + 1)
        func number(_ group: UInt32) -> Int { min(Int(group), texts.count) }
        for part in parts {
            for row in part.reached.indices where part.reached[row] > 0 {
                began[number(part.groups[row])] += 1
            }
        }
        let groups = Self.groups(texts, users: began, limit: breakdown.limit)
        var users = Array(
            repeating: Array(repeating: 0, count: steps),
            count: groups.shown.count
        )
        for part in parts {
            for row in part.reached.indices where part.reached[row] > 0 {
                let value = number(part.groups[row])
                let group = groups.number(of: value < texts.count ? texts[value] : nil)
                for step in 0..<Int(part.reached[row]) { users[group][step] += 1 }
            }
        }
        return zip(groups.shown, users).map { FunnelAnswer.Group($0, users: $1) }
    }
}

extension UInt64 {
    func forEachBit(_ body: (Int) -> Void) {
        var rest = self
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}
