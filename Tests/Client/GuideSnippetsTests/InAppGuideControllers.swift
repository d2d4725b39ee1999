import Foundation
import NoroshiUI
import UIKit

// The calls of the guides' in-app message snippets, with the types renamed. Bent: `nibname` is spelled
// `nibName`, as UIKit does, and actions and outlets are missing, because there is no Objective-C on
// Linux. `./noroshi guides` compiles the guides' own text.

/// The guides' manager, as far as its in-app messages go.
@MainActor
final class InAppGuideManager {
    let noroshi: Noroshi
    let window = UIViewController()
    private(set) var ui: NoroshiInAppMessageUI?

    init(_ noroshi: Noroshi) {
        self.noroshi = noroshi
        let window = window
        let ui = NoroshiInAppMessageUI(host: { window })
        ui.delegate = self
        self.ui = ui
        noroshi.inAppMessages.presenter = ui
    }

    var shown: UIViewController? { window.presentedViewController }

    func slideupViewController(
        inAppMessage: NoroshiInAppMessage
    ) -> NoroshiInAppMessageSlideupViewController {
        SlideFromBottomViewController(inAppMessage: inAppMessage)
    }

    func modalViewController(
        inAppMessage: NoroshiInAppMessage
    ) -> NoroshiInAppMessageModalViewController {
        switch inAppMessage.extras?[InAppMessageKey.viewType.rawValue] as? String {
        case InAppMessageViewType.picker.rawValue:
            return ModalPickerViewController(inAppMessage: inAppMessage)
        default:
            return NoroshiInAppMessageModalViewController(inAppMessage: inAppMessage)
        }
    }

    func fullViewController(
        inAppMessage: NoroshiInAppMessage
    ) -> NoroshiInAppMessageFullViewController {
        FullListViewController(inAppMessage: inAppMessage)
    }
}

extension InAppGuideManager: NoroshiInAppMessageUIDelegate {
    func inAppMessageViewControllerWith(
        _ inAppMessage: NoroshiInAppMessage
    ) -> NoroshiInAppMessageViewController {
        switch inAppMessage {
        case is NoroshiInAppMessageSlideup:
            return slideupViewController(inAppMessage: inAppMessage)
        case is NoroshiInAppMessageModal:
            return modalViewController(inAppMessage: inAppMessage)
        case is NoroshiInAppMessageFull:
            return fullViewController(inAppMessage: inAppMessage)
        case is NoroshiInAppMessageHTML:
            return NoroshiInAppMessageHTMLViewController(inAppMessage: inAppMessage)
        default:
            return NoroshiInAppMessageViewController(inAppMessage: inAppMessage)
        }
    }
}

enum InAppMessageKey: String {
    case viewType = "view_type"
    case attributeKey = "attribute_key"
}

enum InAppMessageViewType: String {
    case picker
}

/// A slideup with a distance of its own.
@MainActor
final class SlideFromBottomViewController: NoroshiInAppMessageSlideupViewController {
    private let adjustedOffset: CGFloat = 24

    override var offset: CGFloat {
        get { super.offset }
        set { super.offset = newValue + adjustedOffset }
    }

    override func beforeMoveInAppMessageViewOnScreen() {
        super.beforeMoveInAppMessageViewOnScreen()
        setOffset()
    }

    func setOffset() {
        offset = 0
    }
}

/// A modal whose text is a list to choose from.
@MainActor
final class ModalPickerViewController: NoroshiInAppMessageModalViewController,
    UIPickerViewDataSource, UIPickerViewDelegate
{
    let pickerView = UIPickerView()
    private(set) var items: [String] = []
    private var selectedItem: String?

    override var nibName: String? { "ModalPickerViewController" }

    override func loadView() {
        Bundle.main.loadNibNamed(nibName ?? "", owner: self, options: nil)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        items = inAppMessage.message.components(separatedBy: ", ")
        pickerView.dataSource = self
        pickerView.delegate = self
        view.addSubview(pickerView)
        pickerView.reloadAllComponents()
    }

    func primaryButtonTapped(_ sender: Any) {
        guard let item = selectedItem, !item.isEmpty,
            let attributeKey =
                inAppMessage.extras?[InAppMessageKey.attributeKey.rawValue] as? String
        else { return }
        NoroshiUserOfGuide.user?.setCustomAttributeWithKey(attributeKey, andStringValue: item)
        click()
    }

    func numberOfComponents(in pickerView: UIPickerView) -> Int { 1 }

    func pickerView(_ pickerView: UIPickerView, numberOfRowsInComponent component: Int) -> Int {
        items.count
    }

    func pickerView(
        _ pickerView: UIPickerView,
        titleForRow row: Int,
        forComponent component: Int
    ) -> String? { items[row] }

    func pickerView(_ pickerView: UIPickerView, didSelectRow row: Int, inComponent component: Int) {
        selectedItem = items[row]
    }
}

/// The user that the guides' manager would have.
@MainActor
enum NoroshiUserOfGuide {
    static var user: NoroshiUser?
}

/// A page of tags whose switches receive their touches.
@MainActor
final class FullListViewController: NoroshiInAppMessageFullViewController {
    private(set) var switches: [UIButton] = []
    private(set) var chosen: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        for tag in context.items {
            let button = UIButton(type: .system)
            button.setTitle(tag, for: .normal)
            button.addAction(
                UIAction { [weak self] _ in self?.chosen.append(tag) },
                for: .touchUpInside
            )
            switches.append(button)
            view.addSubview(button)
        }
    }

    func save() {
        guard let key = inAppMessage.extras?[InAppMessageKey.attributeKey.rawValue] as? String
        else { return }
        NoroshiUserOfGuide.user?.setCustomAttribute(key: key, array: chosen)
        close()
    }
}

/// What the tests see and do.
@MainActor
enum InAppGuideScreen {
    static func slideupDistance(_ manager: InAppGuideManager) -> Double? {
        let controller = manager.shown as? SlideFromBottomViewController
        _ = controller?.view
        return controller?.slideConstraint.map { Double($0.constant) }
    }

    /// Lets the picker's interface file be found, with a title of its own.
    static func installPickerNib() {
        ShimNibs.loaders["ModalPickerViewController"] = { owner in
            let view = UIView()
            let title = UILabel()
            title.text = "Which team?"
            view.addSubview(title)
            (owner as? ModalPickerViewController)?.view = view
        }
    }

    /// The texts of all labels and buttons on the screen.
    static func texts(_ manager: InAppGuideManager) -> [String] { texts(in: manager.shown?.view) }

    private static func texts(in view: UIView?) -> [String] {
        guard let view, !view.isHidden else { return [] }
        let own = (view as? UILabel)?.text ?? (view as? UIButton)?.title(for: .normal)
        return [own].compactMap { $0 } + view.subviews.flatMap { texts(in: $0) }
    }

    static func pickerTitles(_ manager: InAppGuideManager) -> [[String]]? {
        let controller = manager.shown as? ModalPickerViewController
        _ = controller?.view
        return controller?.pickerView.shimTitles
    }

    static func pick(_ row: Int, _ manager: InAppGuideManager) {
        guard let controller = manager.shown as? ModalPickerViewController else { return }
        controller.pickerView.shimSelect(row: row, inComponent: 0)
        controller.primaryButtonTapped(controller)
    }

    static func chooseTags(_ rows: [Int], _ manager: InAppGuideManager) {
        guard let controller = manager.shown as? FullListViewController else { return }
        _ = controller.view
        for row in rows { controller.switches[row].sendActions(for: .touchUpInside) }
        controller.save()
    }

    static func kind(_ manager: InAppGuideManager) -> String? {
        manager.shown.map { "\(type(of: $0))" }
    }
}
