import Foundation
import Model
import WebPages

/// How far a message has come: a picture of steps, a table behind it, and the control group beside.
struct MessageFunnelPart {
    struct Step {
        let name: String
        let users: String
        /// Of the users at the first step.
        let share: String
        /// The step as one text, for screen readers.
        let text: String
        /// The users of the control group; "–" where nothing is known of them.
        let control: String
    }

    /// The width that a step has in the picture, and where its bars begin and end.
    private enum Place {
        static let step = 100.0
        static let bar = 8.0...60.0
        static let control = 66.0...84.0
    }

    let steps: [Step]
    let width: Int
    let bars: [String]
    /// From one bar to the next.
    let links: [String]
    let controlBars: [String]
    let hasControl: Bool
    /// What the control group says; `nil` where it says nothing.
    let note: String?
    /// How many users of the workspace's control group got nothing; `nil` for none.
    let withheld: String?
    /// Since when conversions are counted, where what came before is only summed up.
    let complete: String?

    /// `nil` where there is nobody to count.
    init?(_ funnel: MessageFunnel, words: Words) {
        guard funnel.base > 0 || funnel.control != nil || funnel.withheld > 0 else { return nil }
        let base = funnel.base
        let control = funnel.control
        let last = funnel.steps.count - 1
        func controlUsers(_ index: Int) -> Int? {
            if index == 0 { return control?.users }
            return funnel.steps[index].stage == .converted ? control?.converted : nil
        }
        steps = funnel.steps.enumerated().map { index, step in
            let name = words(step.stage.wordKey)
            let users = words.number(step.users)
            let share = words.percent(step.users, of: base)
            return Step(
                name: name,
                users: users,
                share: share,
                text: words("funnel.step_text", ["step": name, "users": users, "share": share]),
                control: controlUsers(index).map { words.number($0) } ?? "–"
            )
        }
        width = funnel.steps.count * Int(Place.step)
        let heights = funnel.steps.map { Self.height($0.users, of: base) }
        bars = heights.enumerated().map { Self.bar(Place.bar, at: $0, height: $1) }
        links = (0..<last).map { index in
            let from = Double(index) * Place.step + Place.bar.upperBound
            let to = Double(index + 1) * Place.step + Place.bar.lowerBound
            return "M\(from) 100V\(100 - heights[index])L\(to) \(100 - heights[index + 1])V100Z"
        }
        controlBars = funnel.steps.indices.compactMap { index in
            guard let users = controlUsers(index), let whole = control?.users else { return nil }
            return Self.bar(Place.control, at: index, height: Self.height(users, of: whole))
        }
        hasControl = control != nil
        withheld = Self.withheld(funnel, words)
        complete = funnel.completeSince.map {
            words("in_app.converted_since", ["date": words.dateAndTime($0, in: .gmt)])
        }
        note = control.flatMap { control in
            guard let converted = control.converted, let step = funnel.steps.last else {
                return nil
            }
            return words(
                "funnel.control",
                [
                    "converted": words.number(converted), "users": words.number(control.users),
                    "control": words.percent(converted, of: control.users),
                    "share": words.percent(step.users, of: base),
                ]
            )
        }
    }

    private static func withheld(_ funnel: MessageFunnel, _ words: Words) -> String? {
        guard funnel.withheld > 0 else { return nil }
        // A device of an in-app message says when it would have been shown.
        guard funnel.steps.first?.stage == .shown else {
            return words.counted("control_group.kept", funnel.withheld)
        }
        let text = words.counted("control_group.unseen", funnel.withheld)
        guard let converted = funnel.withheldConverted else { return text }
        return text + " "
            + words.counted(
                "control_group.unseen_converted",
                converted,
                ["share": words.percent(converted, of: funnel.withheld)]
            )
    }

    /// From 0 to 100; whatever is not nothing can be seen.
    private static func height(_ part: Int, of whole: Int) -> Double {
        guard part > 0, whole > 0 else { return 0 }
        let share = min(1, Double(part) / Double(whole))
        return max(1.5, (share * 1_000).rounded() / 10)
    }

    private static func bar(
        _ place: ClosedRange<Double>,
        at index: Int,
        height: Double
    ) -> String {
        let left = Double(index) * Place.step + place.lowerBound
        let right = Double(index) * Place.step + place.upperBound
        return "M\(left) 100V\(100 - height)H\(right)V100Z"
    }
}

extension MessageFunnel.Stage {
    var wordKey: String {
        switch self {
        case .targeted: "funnel.targeted"
        case .delivered: "push.delivered"
        case .received: "push.received"
        case .opened: "push.opened"
        case .converted: "funnel.converted"
        case .shown: "funnel.shown"
        case .clicked: "funnel.clicked"
        }
    }
}
