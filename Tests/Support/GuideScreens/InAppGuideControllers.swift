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
    private(set) var ui: NoroshiInAppMessageUI?

    init(_ noroshi: Noroshi, on scene: UIWindowScene) {
        self.noroshi = noroshi
        let ui = NoroshiInAppMessageUI(scene: { scene })
        ui.delegate = self
        self.ui = ui
        noroshi.inAppMessages.presenter = ui
    }

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
    private var tags: [String] = []
    private var switches: [UISwitch] = []
    let saveButton = UIButton(type: .system)

    override func viewDidLoad() {
        super.viewDidLoad()
        tags = context.items
        for (row, tag) in tags.enumerated() {
            let label = UILabel(frame: CGRect(x: 20, y: 100 + row * 50, width: 200, height: 31))
            label.text = tag
            let toggle = UISwitch(frame: CGRect(x: 300, y: 100 + row * 50, width: 51, height: 31))
            switches.append(toggle)
            view.addSubview(label)
            view.addSubview(toggle)
        }
        saveButton.frame = CGRect(x: 20, y: 700, width: 350, height: 44)
        saveButton.setTitle("Save", for: .normal)
        saveButton.addAction(UIAction { [weak self] _ in self?.save() }, for: .touchUpInside)
        view.addSubview(saveButton)
    }

    private func save() {
        guard let key = inAppMessage.extras?[InAppMessageKey.attributeKey.rawValue] as? String
        else { return }
        let chosen = zip(tags, switches).filter(\.1.isOn).map(\.0)
        NoroshiUserOfGuide.user?.setCustomAttribute(key: key, array: chosen)
        click()
    }
}
