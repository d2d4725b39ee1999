import Reports

extension ReportEngine {
    /// - Parameter now: Intervals that begin later are not looked at.
    package func retention(
        _ question: RetentionQuestion,
        now: Int64
    ) async throws -> RetentionAnswer {
        try question.check()
        let rule = try RetentionRule(question, now: now)
        let firsts = try await OccurrenceSource(
            self,
            in: rule.firsts,
            [(question.first, .init(group: question.breakdown?.property))]
        )
        let returns = try await OccurrenceSource(
            self,
            in: rule.returns,
            [(question.returning, .init())]
        )
        let zero = RetentionRule.Counts(
            cohorts: question.period.length,
            intervals: question.intervals
        )
        let total = try await sum(zero) { chunk in
            var counts = zero
            forEachCohort(inChunk: chunk, rule, firsts, returns) { _, cohort, start, _, returns in
                rule.add(start, cohort: cohort, returns, to: &counts)
            }
            return counts
        } adding: {
            $0.add($1)
        }
        var groups: [(ReportGroup, RetentionRule.Counts)] = []
        if let breakdown = question.breakdown {
            groups = try await self.groups(breakdown, rule, firsts, returns, zero)
        }
        return rule.answer(total, groups: groups, interval: question.period.interval(at:))
    }

    /// Calls with each user's cohorts: the row, the cohort, when it began, the number of the
    /// breakdown's value, and the user's events of return.
    private func forEachCohort(
        inChunk chunk: Int,
        _ rule: RetentionRule,
        _ firsts: OccurrenceSource,
        _ returns: OccurrenceSource,
        _ body: (Int, Int, Int64, UInt32, RetentionRule.Times) -> Void
    ) {
        let (first, returned) = (firsts.tables(ofChunk: chunk), returns.tables(ofChunk: chunk))
        for row in 0..<columns.chunks[chunk].count where !first[0].isEmpty(row) {
            let times = first[0].times(of: row)
            let groups = first[0].groups(of: row)
            rule.forEachCohort(times) { cohort, place in
                body(row, cohort, times[place], groups?[place] ?? 0, returned[0].times(of: row))
            }
        }
        // The tables own what the times point to.
        withExtendedLifetime((first, returned)) {}
    }

    private func groups(
        _ breakdown: ReportBreakdown,
        _ rule: RetentionRule,
        _ firsts: OccurrenceSource,
        _ returns: OccurrenceSource,
        _ zero: RetentionRule.Counts
    ) async throws -> [(ReportGroup, RetentionRule.Counts)] {
        let traits = try UserTraits(self, breakdown)
        let shown: ReportGroups
        var populations: [[UInt64]] = []
        let texts = firsts.groups
        @Sendable func text(_ number: UInt32) -> String? {
            Int(number) < texts.count ? texts[Int(number)] : nil
        }
        if let traits {
            populations = try await forEachChunk { chunk in
                var rows = [UInt64](repeating: 0, count: columns.chunks[chunk].wordCount)
                forEachCohort(inChunk: chunk, rule, firsts, returns) { row, _, _, _, _ in
                    rows.insert(row)
                }
                return rows
            }
            shown = try await groups(traits, of: populations, limit: breakdown.limit)
        } else {
            let zero = Array(repeating: 0, count: texts.count + 1)
            let users = try await sum(zero) { chunk in
                var users = zero
                var known: (row: Int, values: Set<Int>) = (-1, [])
                forEachCohort(inChunk: chunk, rule, firsts, returns) { row, _, _, group, _ in
                    if known.row != row { known = (row, []) }
                    let number = min(Int(group), texts.count)
                    // A user of several cohorts is one user of a value.
                    if known.values.insert(number).inserted { users[number] += 1 }
                }
                return users
            } adding: { total, part in
                for number in total.indices { total[number] += part[number] }
            }
            shown = Self.groups(texts, users: users, limit: breakdown.limit)
        }
        let parts = populations
        let counts = try await sum(Array(repeating: zero, count: shown.shown.count)) { chunk in
            var counts = Array(repeating: zero, count: shown.shown.count)
            let masks = traits?.masks(inChunk: chunk, of: parts[chunk], shown)
            forEachCohort(inChunk: chunk, rule, firsts, returns) {
                row,
                cohort,
                start,
                group,
                times in
                let mask = masks?[row] ?? 1 << UInt64(shown.number(of: text(group)))
                mask.forEachBit { rule.add(start, cohort: cohort, times, to: &counts[$0]) }
            }
            return counts
        } adding: { total, part in
            for group in total.indices { total[group].add(part[group]) }
        }
        return zip(shown.shown, counts)
            .filter { $0 != .missing || $1.sizes.contains { $0 > 0 } }
            .map { ($0, $1) }
    }
}
