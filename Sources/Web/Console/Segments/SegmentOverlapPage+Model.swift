import Audience
import Foundation
import Model
import WebPages

/// Two segments beside each other: how many users are in one, in the other and in both.
struct SegmentOverlapPage {
    struct Part {
        let name: String
        let users: String
        let share: String
        /// Of all in either, from 0 to 100.
        let width: String
    }

    let action: String
    let listAddress: String
    let firsts: [FormChoice]
    let seconds: [FormChoice]
    let parts: [Part]
    let hasParts: Bool
    let problem: String?
    let segmentAddress: String?

    init(
        _ segments: [StoredSegment],
        first: StoredSegment?,
        second: StoredSegment?,
        overlap: SegmentInspector.Overlap?,
        problem: String?,
        context: ConsoleContext
    ) {
        let words = context.words
        action = ConsolePath.segmentOverlap.path
        listAddress = ConsolePath.segments.path
        func choices(_ chosen: StoredSegment?) -> [FormChoice] {
            segments.map {
                FormChoice(
                    value: "\($0.id)",
                    label: $0.content.name,
                    isChosen: $0.id == chosen?.id
                )
            }
        }
        firsts = choices(first)
        seconds = choices(second)
        self.problem = segments.count < 2 ? words("segments.overlap_two") : problem
        var parts: [Part] = []
        if let overlap, let first, let second {
            func part(_ name: String, _ users: Int) -> Part {
                let share =
                    overlap.either == 0 ? 0 : Double(users) / Double(overlap.either) * 100
                return Part(
                    name: name,
                    users: words.number(users),
                    share: words.percent(users, of: overlap.either),
                    width: String(format: "%.1f", share)
                )
            }
            parts = [
                part(
                    words("segments.overlap_only", ["segment": first.content.name]),
                    overlap.firstOnly
                ),
                part(words("segments.overlap_both"), overlap.both),
                part(
                    words("segments.overlap_only", ["segment": second.content.name]),
                    overlap.secondOnly
                ),
            ]
        }
        self.parts = parts
        hasParts = !parts.isEmpty
        segmentAddress =
            context.hasRole(atLeast: .marketer) && hasParts
            ? ConsolePath.newSegment.query(
                FormFields([
                    (
                        name: "condition",
                        value: [first, second].compactMap { $0 }
                            .map { "in segment \(Self.quoted($0.content.name))" }
                            .joined(separator: " and ")
                    )
                ])
            ) : nil
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
