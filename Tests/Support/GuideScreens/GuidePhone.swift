import Foundation
import NoroshiUI
import UIKit
import WebKit

/// A phone with the guides' app in front, and fingers on its glass.
@MainActor
package final class GuidePhone {
    private let scene = UIWindowScene(shimSize: CGSize(width: 393, height: 852))
    private let window: UIWindow
    private let appButton = UIButton(frame: CGRect(x: 0, y: 0, width: 393, height: 852))
    private let manager: InAppGuideManager
    /// How often a finger has reached the app below the messages.
    package private(set) var touchesOfTheApp = 0

    package init(_ noroshi: Noroshi) {
        NoroshiUserOfGuide.user = noroshi.user
        window = UIWindow(windowScene: scene)
        manager = InAppGuideManager(noroshi, on: scene)
        let first = UIViewController()
        window.rootViewController = first
        window.isHidden = false
        first.view.addSubview(appButton)
        appButton.addAction(
            UIAction { [weak self] _ in self?.touchesOfTheApp += 1 },
            for: .touchUpInside
        )
        Self.installPickerNib()
    }

    /// Lets the picker's interface file be found, with a title and a button of its own.
    private static func installPickerNib() {
        ShimNibs.loaders["ModalPickerViewController"] = { owner in
            guard let owner = owner as? ModalPickerViewController else { return }
            let view = UIView(frame: CGRect(x: 0, y: 0, width: 393, height: 852))
            let title = UILabel(frame: CGRect(x: 40, y: 200, width: 300, height: 30))
            title.text = "Which team?"
            let send = UIButton(frame: CGRect(x: 40, y: 500, width: 300, height: 44))
            send.setTitle("Send", for: .normal)
            // What an action of the interface file is connected to.
            send.addAction(
                UIAction { [weak owner] _ in owner?.primaryButtonTapped(send) },
                for: .touchUpInside
            )
            owner.pickerView.frame = CGRect(x: 40, y: 240, width: 300, height: 200)
            for part in [title, owner.pickerView, send] { view.addSubview(part) }
            owner.view = view
        }
    }

    private var messageWindow: UIWindow? {
        scene.shimWindows.last { !$0.isHidden && $0.windowLevel == .alert }
    }

    private var shown: NoroshiInAppMessageViewController? {
        func find(_ view: UIView) -> NoroshiInAppMessageViewController? {
            view.shimController as? NoroshiInAppMessageViewController
                ?? view.subviews.lazy.compactMap(find).first
        }
        return messageWindow.flatMap(find)
    }

    /// The class of the message's controller; `nil` without a message.
    package var kind: String? { shown.map { "\(type(of: $0))" } }

    /// The distance of a slideup from its edge.
    package var slideupDistance: Double? {
        (shown as? SlideFromBottomViewController)?.slideConstraint.map { Double($0.constant) }
    }

    /// The texts of all labels and buttons on the message's window, and whether it has a web view.
    package var texts: [String] { messageWindow.map(Self.texts) ?? [] }

    private static func texts(in view: UIView) -> [String] {
        guard !view.isHidden else { return [] }
        let own =
            (view as? UILabel)?.text ?? (view as? UIButton)?.title(for: .normal)
            ?? (view is WKWebView ? "(a web page)" : nil)
        return [own].compactMap { $0 } + view.subviews.flatMap(texts)
    }

    /// The rows of the picker.
    package var pickerTitles: [[String]]? {
        (shown as? ModalPickerViewController)?.pickerView.shimTitles
    }

    /// Turns the picker to a row.
    package func pick(_ row: Int) {
        (shown as? ModalPickerViewController)?.pickerView.shimSelect(row: row, inComponent: 0)
    }

    /// Touches the glass. The system asks the windows from the top which view is there.
    package func touch(x: Double, y: Double) {
        layOut()
        scene.shimTouch(at: CGPoint(x: x, y: y))
    }

    /// What the constraints of the SDK come to.
    private func layOut() {
        guard let messageWindow, let view = shown?.view else { return }
        view.frame = messageWindow.bounds
        for page in view.subviews where page is WKWebView { page.frame = view.bounds }
    }
}
