import Foundation

/// <https://developer.apple.com/documentation/uikit/uipickerview>
@MainActor
open class UIPickerView: UIView {
    open weak var dataSource: (any UIPickerViewDataSource)?
    open weak var delegate: (any UIPickerViewDelegate)?
    private var titles: [[String]] = []

    /// <https://developer.apple.com/documentation/uikit/uipickerview/reloadallcomponents()>
    open func reloadAllComponents() {
        guard let dataSource else { return }
        titles = (0..<dataSource.numberOfComponents(in: self)).map { component in
            (0..<dataSource.pickerView(self, numberOfRowsInComponent: component)).map { row in
                delegate?.pickerView(self, titleForRow: row, forComponent: component) ?? ""
            }
        }
    }

    /// The titles as of the last reload, by component.
    public var shimTitles: [[String]] { titles }

    /// Selects a row as the user does.
    public func shimSelect(row: Int, inComponent component: Int) {
        delegate?.pickerView(self, didSelectRow: row, inComponent: component)
    }
}

/// <https://developer.apple.com/documentation/uikit/uipickerviewdatasource>
@MainActor
public protocol UIPickerViewDataSource: NSObjectProtocol {
    func numberOfComponents(in pickerView: UIPickerView) -> Int
    func pickerView(_ pickerView: UIPickerView, numberOfRowsInComponent component: Int) -> Int
}

/// <https://developer.apple.com/documentation/uikit/uipickerviewdelegate>
@MainActor
public protocol UIPickerViewDelegate: NSObjectProtocol {
    func pickerView(
        _ pickerView: UIPickerView,
        titleForRow row: Int,
        forComponent component: Int
    ) -> String?

    func pickerView(_ pickerView: UIPickerView, didSelectRow row: Int, inComponent component: Int)
}
