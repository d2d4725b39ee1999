#if canImport(UIKit)
import Foundation
import NoroshiExtensions
import UIKit

/// Draws the information-capture pattern: question, field, register button, thanks.
@MainActor
final class CaptureView: UIStackView {
    private(set) var capture: NoroshiInformationCapture
    private let perform: ([NoroshiPatternEffect]) -> Void
    private let thanks: String
    /// Called after the thanks were shown long enough.
    private let finish: ([NoroshiPatternEffect]) -> Void
    private let sleep: @Sendable (TimeInterval) async throws -> Void
    private var isFinishing = false

    /// How long the thanks are shown, in seconds.
    private static let thanksSeconds: TimeInterval = 2

    let titleLabel = UILabel.noroshi(.headline)
    let explanationLabel = UILabel.noroshi(.body)
    let field = UITextField()
    let registerButton = UIButton(type: .system)

    init(
        _ capture: NoroshiInformationCapture,
        words: NoroshiContentWords,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void,
        perform: @escaping ([NoroshiPatternEffect]) -> Void,
        finish: @escaping ([NoroshiPatternEffect]) -> Void
    ) {
        self.capture = capture
        self.perform = perform
        self.sleep = sleep
        self.finish = finish
        thanks = words.thanks
        super.init(frame: .zero)
        axis = .vertical
        spacing = 12
        titleLabel.text = capture.title
        explanationLabel.text = capture.explanation
        switch capture.kind {
        case .email: field.keyboardType = .emailAddress
        case .phoneNumber: field.keyboardType = .phonePad
        case .text: field.keyboardType = .default
        }
        field.accessibilityLabel = capture.title
        field.borderStyle = .roundedRect
        switch capture.kind {
        case .email: field.placeholder = words.emailPlaceholder
        case .phoneNumber: field.placeholder = words.phonePlaceholder
        case .text: field.placeholder = words.textPlaceholder
        }
        registerButton.setTitle(words.register, for: .normal)
        registerButton.isHidden = true
        for view in [titleLabel, explanationLabel, field, registerButton] as [UIView] {
            addArrangedSubview(view)
        }
        field.addAction(
            UIAction { [weak self] _ in self?.typed() },
            for: .editingChanged
        )
        registerButton.addAction(
            UIAction { [weak self] _ in self?.register() },
            for: .touchUpInside
        )
    }

    @available(*, unavailable)
    required init(coder: NSCoder) {
        preconditionFailure("the view is made in code")
    }

    func respond(toAction identifier: String) -> [NoroshiPatternEffect] {
        let effects = capture.respond(toAction: identifier)
        update()
        return effects
    }

    private func typed() {
        capture.type(field.text ?? "")
        update()
    }

    private func register() {
        perform(capture.register())
        update()
    }

    private func update() {
        registerButton.isHidden = !capture.showsRegisterButton
        if case .confirmed = capture.phase {
            titleLabel.text = thanks
            explanationLabel.isHidden = true
            field.isHidden = true
            finishLater()
        }
    }

    private func finishLater() {
        guard !isFinishing else { return }
        isFinishing = true
        Task { [weak self, sleep] in
            // The wait is not cancelled; an injected wait that throws counts as finished.
            try? await sleep(Self.thanksSeconds)
            guard let self else { return }
            finish(capture.finish())
        }
    }
}
#endif
