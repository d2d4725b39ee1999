import Audience
import Experiments
import Foundation
import Model
import NoroshiWire
import Reports

/// Reports as JSON.
enum ReportAnswers {
    static func json(
        _ answer: ReportAnswer,
        _ breakdown: ReportQuestionForm.Breakdown
    ) -> JSONValue {
        switch answer {
        case .funnel(let answer): json(answer, breakdown)
        case .retention(let answer): json(answer, breakdown)
        case .series(let answer): json(answer, breakdown)
        case .paths(let answer): json(answer)
        case .controlGroup(let report): json(report)
        }
    }

    private static func json(_ report: ControlGroupReport?) -> JSONValue {
        [
            "message": "success",
            "share": .integer(Int64(report?.group.share ?? 0)),
            "since": report.map { .string(Timestamp.format($0.group.since)) } ?? .null,
            "measures": .array(
                (report?.results ?? []).map { result in
                    ExperimentMeasureAnswer(
                        result.experiment,
                        name: result.measure.name,
                        isRate: result.measure.isRate
                    ) { $0 == .control ? "control" : "others" }.json
                }
            ),
        ]
    }

    static func json(_ answer: FunnelAnswer, _ breakdown: ReportQuestionForm.Breakdown)
        -> JSONValue
    {
        success(
            [
                "steps": .array(
                    answer.steps.map {
                        [
                            "users": count($0.users), "average_seconds": number($0.averageSeconds),
                            "median_seconds": $0.medianSeconds.map(JSONValue.integer) ?? .null,
                        ]
                    }
                )
            ],
            groups: answer.groups.map {
                group($0.group, breakdown, ["users": .array($0.users.map(count))])
            },
            breakdown
        )
    }

    static func json(_ answer: RetentionAnswer, _ breakdown: ReportQuestionForm.Breakdown)
        -> JSONValue
    {
        success(
            [
                "cohorts": .array(
                    answer.cohorts.map {
                        [
                            "start": .string($0.interval.name), "users": count($0.users),
                            "returned": .array($0.returned.map { $0.map(count) ?? .null }),
                            "complete": count($0.complete),
                        ]
                    }
                ),
                "total": .object(curve(answer.total)),
            ],
            groups: answer.groups.map { group($0.group ?? .other, breakdown, curve($0)) },
            breakdown
        )
    }

    private static func curve(_ curve: RetentionAnswer.Curve) -> [String: JSONValue] {
        [
            "users": count(curve.users), "returned": .array(curve.returned.map(count)),
            "of": .array(curve.of.map(count)),
        ]
    }

    static func json(_ answer: SeriesAnswer, _ breakdown: ReportQuestionForm.Breakdown)
        -> JSONValue
    {
        func amount(_ amount: SeriesAnswer.Amount) -> [String: JSONValue] {
            let isMoney = answer.currency != nil
            return [
                "value": number(answer.value(amount)),
                "total": number(amount.value(.total, isMoney: isMoney)),
                "users": count(amount.users),
            ]
        }
        func line(_ line: SeriesAnswer.Line, _ intervals: [ReportInterval]) -> [String: JSONValue] {
            [
                "data": .array(
                    zip(intervals, line.intervals).map { interval, counted in
                        .object(amount(counted).merging(["time": .string(interval.name)]) { $1 })
                    }
                ),
                "whole": .object(amount(line.whole)),
            ]
        }
        func lines(
            _ present: SeriesAnswer.Line,
            _ previous: SeriesAnswer.Line?
        ) -> [String: JSONValue] {
            var members = line(present, answer.intervals)
            if let previous {
                members["previous"] = .object(line(previous, answer.previousIntervals))
            }
            return members
        }
        var members = lines(answer.line, answer.previous)
        if let currency = answer.currency { members["currency"] = .string(currency) }
        return success(
            members,
            groups: answer.groups.map { group($0.group, breakdown, lines($0.line, $0.previous)) },
            breakdown
        )
    }

    static func json(
        _ answer: CompositionAnswer,
        _ breakdown: ReportQuestionForm.Breakdown
    ) -> JSONValue {
        success(
            ["users": count(answer.users)],
            groups: answer.groups.map {
                group($0.group, breakdown, ["users": count($0.users)])
            },
            breakdown
        )
    }

    private static func json(_ answer: PathsAnswer) -> JSONValue {
        [
            "message": "success", "users": count(answer.users),
            "steps": .array(
                answer.steps.map { step in
                    [
                        "nodes": .array(
                            step.nodes.map { .object(place($0.place, ["users": count($0.users)])) }
                        ),
                        "links": .array(
                            step.links.map {
                                [
                                    "from": count($0.from), "to": count($0.to),
                                    "users": count($0.users),
                                ]
                            }
                        ),
                    ]
                }
            ),
            "paths": .array(
                answer.paths.map { path in
                    [
                        "steps": .array(path.kinds.map { .object(place(.kind($0), [:])) }),
                        "users": count(path.users),
                    ]
                }
            ),
        ]
    }

    private static func place(
        _ place: PathsAnswer.Place,
        _ members: [String: JSONValue]
    ) -> [String: JSONValue] {
        var members = members
        members["kind"] = .string(place.kind)
        if case .kind(.event(let name)) = place { members["event"] = .string(name) }
        return members
    }

    private static func success(
        _ members: [String: JSONValue],
        groups: [JSONValue],
        _ breakdown: ReportQuestionForm.Breakdown
    ) -> JSONValue {
        var members = members
        members["message"] = "success"
        if breakdown.breakdown != nil { members["groups"] = .array(groups) }
        return .object(members)
    }

    private static func group(
        _ group: ReportGroup,
        _ breakdown: ReportQuestionForm.Breakdown,
        _ members: [String: JSONValue]
    ) -> JSONValue {
        var members = members
        members["kind"] = .string(group.kind)
        switch group {
        case .value(let text): members["value"] = .string(text)
        case .segment: members["segment_id"] = .string(breakdown.name(of: group))
        case .missing, .other: break
        }
        return .object(members)
    }

    private static func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }

    private static func number(_ number: Double?) -> JSONValue {
        guard let number else { return .null }
        return Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
    }
}
