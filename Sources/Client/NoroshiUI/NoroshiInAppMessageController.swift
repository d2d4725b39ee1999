#if canImport(UIKit)
import Foundation
import Noroshi
import UIKit

/// Draws a message with a heading, a text and buttons.
open class NoroshiInAppMessageController: UIViewController {
    /// The showing that is drawn.
    public let context: NoroshiInAppMessageContext
    let headerLabel = UILabel.noroshi(.headline)
    let messageLabel = UILabel.noroshi(.body)
    private(set) var buttons: [UIButton] = []

    /// A controller for `context`.
    public init(_ context: NoroshiInAppMessageContext) {
        self.context = context
        super.init(nibName: nil, bundle: nil)
        modalPresentationStyle =
            context.message.kind == .full ? .fullScreen : .overFullScreen
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) {
        preconditionFailure("the controller is made in code")
    }

    open override func viewDidLoad() {
        super.viewDidLoad()
        guard let view else { return }
        view.backgroundColor = .systemBackground
        headerLabel.text = context.message.header
        headerLabel.isHidden = context.message.header == nil
        messageLabel.text = context.message.message
        buttons = (context.message.buttons ?? []).map { makeButton($0.text, id: $0.id) }
        if buttons.isEmpty { buttons = [makeButton("OK", id: nil)] }
        let stack = UIStackView(arrangedSubviews: [headerLabel, messageLabel] + buttons)
        stack.axis = .vertical
        stack.spacing = 16
        stack.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(stack)
        NSLayoutConstraint.activate([
            stack.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 24),
            stack.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -24),
            verticalConstraint(of: stack, in: view),
        ])
        closeLater()
    }

    /// A slideup lies at its edge, other messages in the middle.
    private func verticalConstraint(of stack: UIView, in view: UIView) -> NSLayoutConstraint {
        let guide = view.safeAreaLayoutGuide
        guard context.message.kind == .slideup else {
            return stack.centerYAnchor.constraint(equalTo: view.centerYAnchor)
        }
        return context.message.slideFrom == .top
            ? stack.topAnchor.constraint(equalTo: guide.topAnchor, constant: 10)
            : stack.bottomAnchor.constraint(equalTo: guide.bottomAnchor, constant: -10)
    }

    private func makeButton(_ title: String, id: String?) -> UIButton {
        let button = UIButton(type: .system)
        button.setTitle(title, for: .normal)
        button.addAction(
            UIAction { [weak self] _ in self?.tapped(id) },
            for: .touchUpInside
        )
        return button
    }

    private func tapped(_ id: String?) {
        let context = context
        dismiss(animated: true) { context.processClick(buttonId: id) }
    }

    private func closeLater() {
        guard let seconds = context.message.closesAfterSeconds else { return }
        Task { [weak self] in
            // The wait is not cancelled; a message that is gone is not closed twice.
            try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
            self?.dismiss(animated: true, completion: nil)
            self?.context.logDismissal()
        }
    }
}
#endif
