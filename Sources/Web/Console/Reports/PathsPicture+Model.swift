import Reports
import WebPages

/// Bars for what users do at each step, as tall as they are many, and bands between them; time goes to
/// the right. It keeps its size, so that its texts do, and is scrolled where it does not fit.
struct PathsPicture {
    struct Node {
        let style: String
        let x: Double
        let y: Double
        let height: Double
        let textX: Double
        let textY: Double
        let label: String
        let users: String
    }

    struct Band {
        let style: String
        let path: String
        let width: Double
        let text: String
    }

    private static let columnWidth = 200.0
    private static let barWidth = 10.0
    /// The height of all users together.
    private static let whole = 260.0
    /// Room above each bar for its text.
    private static let gap = 26.0
    private static let labelLength = 22

    let width: Double
    let height: Double
    let barWidth = Self.barWidth
    let label: String
    let nodes: [Node]
    let bands: [Band]

    /// A bar before its texts are made.
    private struct Bar {
        var node: PathsAnswer.Node
        var x: Double
        var y: Double
        var height: Double
        /// How much of it bands take already, at the side of the start and at the other one.
        var taken = (towards: 0.0, away: 0.0)
    }

    init(_ answer: PathsAnswer, names: PathNames) {
        let words = names.words
        let isBackwards = names.direction == .before
        let last = answer.steps.count
        let scale = answer.users == 0 ? 0 : Self.whole / Double(answer.users)
        func x(_ column: Int) -> Double {
            Double(isBackwards ? last - column : column) * Self.columnWidth
        }
        func bars(_ nodes: [PathsAnswer.Node], _ column: Int) -> [Bar] {
            var y = 0.0
            return nodes.map { node in
                y += Self.gap
                let height = max(2, Double(node.users) * scale)
                defer { y += height }
                return Bar(node: node, x: x(column), y: y, height: height)
            }
        }
        var columns = [
            bars([PathsAnswer.Node(.kind(answer.start), users: answer.users)], 0)
        ]
        columns += answer.steps.enumerated().map { bars($1.nodes, $0 + 1) }
        var bands: [Band] = []
        for (number, step) in answer.steps.enumerated() {
            for link in step.links {
                let thickness = max(1, Double(link.users) * scale)
                let from = columns[number][link.from]
                let to = columns[number + 1][link.to]
                let start = from.y + from.taken.away + thickness / 2
                let end = to.y + to.taken.towards + thickness / 2
                columns[number][link.from].taken.away += thickness
                columns[number + 1][link.to].taken.towards += thickness
                let left = min(from.x, to.x) + Self.barWidth
                let right = max(from.x, to.x)
                let (first, second) = isBackwards ? (end, start) : (start, end)
                let middle = (left + right) / 2
                let (earlier, later) = isBackwards ? (to, from) : (from, to)
                bands.append(
                    Band(
                        style: Self.style(to.node.place),
                        path: "M\(left) \(first)C\(middle) \(first) \(middle) \(second) "
                            + "\(right) \(second)",
                        width: thickness,
                        text: "\(names.name(earlier.node.place)) → "
                            + "\(names.name(later.node.place)): \(words.number(link.users))"
                    )
                )
            }
        }
        self.bands = bands
        nodes = columns.flatMap { bars in
            bars.map { bar in
                Node(
                    style: Self.style(bar.node.place),
                    x: bar.x,
                    y: bar.y,
                    height: bar.height,
                    textX: bar.x,
                    textY: bar.y - 7,
                    label: Self.shortened(names.name(bar.node.place)),
                    users: words.number(bar.node.users)
                )
            }
        }
        width = Double(last + 1) * Self.columnWidth
        height = (columns.compactMap { $0.last.map { $0.y + $0.height } }.max() ?? 0) + 4
        label = words.counted("reports.paths_users", answer.users)
    }

    private static func style(_ place: PathsAnswer.Place) -> String {
        switch place {
        case .kind: "known"
        case .other: "other"
        case .end: "end"
        }
    }

    private static func shortened(_ name: String) -> String {
        name.count <= labelLength ? name : name.prefix(labelLength - 1) + "…"
    }
}
