#if canImport(UIKit)
import Foundation
import NoroshiExtensions
import UIKit

/// Draws the interactive pattern of a wheel: a disc below a pointer, a button, the result.
@MainActor
final class WheelView: UIStackView {
    private var wheel: NoroshiSpinToWin
    private let perform: ([NoroshiPatternEffect]) -> Void
    private let sleep: @Sendable (TimeInterval) async throws -> Void
    let dial: WheelDial
    let spinButton = UIButton(type: .system)
    let resultLabel = UILabel.noroshi(.headline)

    /// How long the disc turns, in seconds.
    static let turnSeconds: TimeInterval = 3

    init(
        _ wheel: NoroshiSpinToWin,
        words: NoroshiContentWords,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void,
        perform: @escaping ([NoroshiPatternEffect]) -> Void
    ) {
        self.wheel = wheel
        self.perform = perform
        self.sleep = sleep
        dial = WheelDial(wheel.prizes.map(\.label))
        super.init(frame: .zero)
        axis = .vertical
        spacing = 12
        let pointer = UILabel.noroshi(.headline)
        pointer.text = "▼"
        pointer.textAlignment = .center
        pointer.isAccessibilityElement = false
        resultLabel.textAlignment = .center
        spinButton.setTitle(words.spin, for: .normal)
        for view in [pointer, dial, spinButton, resultLabel] as [UIView] {
            addArrangedSubview(view)
        }
        dial.heightAnchor.constraint(equalTo: dial.widthAnchor, multiplier: 0.8).isActive = true
        spinButton.addAction(UIAction { [weak self] _ in self?.spin() }, for: .touchUpInside)
    }

    @available(*, unavailable)
    required init(coder: NSCoder) {
        preconditionFailure("the view is made in code")
    }

    private func spin() {
        var random = SystemRandomNumberGenerator()
        // Recorded before the disc stops: the user may close the notification meanwhile.
        perform(wheel.spin(random: &random))
        spinButton.isEnabled = false
        guard let result = wheel.result else { return }
        dial.turn(by: result.degrees, seconds: Self.turnSeconds)
        Task { [weak self, sleep] in
            // The wait is not cancelled; an injected wait that throws counts as finished.
            try? await sleep(Self.turnSeconds)
            guard let self else { return }
            resultLabel.text = result.prize.label
            UIAccessibility.post(notification: .announcement, argument: result.prize.label)
        }
    }
}
#endif
