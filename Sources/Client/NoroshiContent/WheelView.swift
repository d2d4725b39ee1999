#if canImport(UIKit)
import Foundation
import NoroshiExtensions
import UIKit

/// Draws the interactive pattern of a wheel: the prizes, a button, the result.
@MainActor
final class WheelView: UIStackView {
    private var wheel: NoroshiSpinToWin
    private let perform: ([NoroshiPatternEffect]) -> Void
    let spinButton = UIButton(type: .system)
    let resultLabel = UILabel.noroshi(.headline)

    init(
        _ wheel: NoroshiSpinToWin,
        words: NoroshiContentWords,
        perform: @escaping ([NoroshiPatternEffect]) -> Void
    ) {
        self.wheel = wheel
        self.perform = perform
        super.init(frame: .zero)
        axis = .vertical
        spacing = 12
        let prizes = UILabel.noroshi(.body)
        prizes.text = wheel.prizes.map(\.label).joined(separator: " · ")
        spinButton.setTitle(words.spin, for: .normal)
        for view in [prizes, spinButton, resultLabel] as [UIView] { addArrangedSubview(view) }
        spinButton.addAction(UIAction { [weak self] _ in self?.spin() }, for: .touchUpInside)
    }

    @available(*, unavailable)
    required init(coder: NSCoder) {
        preconditionFailure("the view is made in code")
    }

    private func spin() {
        var random = SystemRandomNumberGenerator()
        perform(wheel.spin(random: &random))
        resultLabel.text = wheel.result?.prize.label
        spinButton.isEnabled = false
    }
}
#endif
