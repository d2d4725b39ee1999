#if canImport(UIKit)
import Foundation
import NoroshiExtensions
import UIKit

/// Draws the personalized pattern: the progress of a course and the next session.
@MainActor
final class ProgressView: UIStackView {
    let titleLabel = UILabel.noroshi(.headline)
    let countLabel = UILabel.noroshi(.body)
    let nextLabel = UILabel.noroshi(.footnote)
    let bar = UIProgressView()

    init(_ progress: NoroshiCourseProgress, title: String) {
        super.init(frame: .zero)
        axis = .vertical
        spacing = 8
        titleLabel.text = title
        countLabel.text = "\(progress.completed) / \(progress.total)"
        countLabel.accessibilityLabel = "\(progress.percent) %"
        bar.progress = Float(progress.fraction)
        bar.accessibilityLabel = title
        nextLabel.text = progress.next.map { "\($0.name) · \($0.dueText)" }
        nextLabel.isHidden = progress.isComplete
        for view in [titleLabel, bar, countLabel, nextLabel] as [UIView] {
            addArrangedSubview(view)
        }
    }

    @available(*, unavailable)
    required init(coder: NSCoder) {
        preconditionFailure("the view is made in code")
    }
}
#endif
