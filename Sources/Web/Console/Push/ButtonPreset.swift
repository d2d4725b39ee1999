import WebPages

/// The predefined pairs of action buttons, or the app's own category.
enum ButtonPreset: String, CaseIterable {
    case none, more, yesNo, acceptDecline, confirmCancel, custom

    /// The SDK's category with these buttons.
    var category: String? {
        switch self {
        case .none, .custom: nil
        case .more: "noroshi_more"
        case .yesNo: "noroshi_yes_no"
        case .acceptDecline: "noroshi_accept_decline"
        case .confirmCancel: "noroshi_confirm_cancel"
        }
    }

    /// The buttons of a message with a category.
    init(category: String?) {
        self =
            category.map { name in Self.allCases.first { $0.category == name } ?? .custom }
            ?? .none
    }

    /// The titles of the buttons, as on the phone.
    func titles(_ words: Words) -> [String] {
        switch self {
        case .none, .custom: []
        case .more: [words("buttons.more")]
        case .yesNo: [words("buttons.yes"), words("buttons.no")]
        case .acceptDecline: [words("buttons.accept"), words("buttons.decline")]
        case .confirmCancel: [words("buttons.confirm"), words("buttons.cancel")]
        }
    }

    func choiceText(_ words: Words) -> String {
        switch self {
        case .none: words("buttons.none")
        case .custom: words("buttons.custom")
        default: titles(words).joined(separator: " / ")
        }
    }
}

/// The raw fields of the action buttons.
struct ButtonFields: Equatable {
    var preset: ButtonPreset
    /// The name of the app's own category.
    var category: String

    init(fields: FormFields) {
        preset = ButtonPreset(rawValue: fields["buttons"]) ?? .none
        category = fields.trimmed("category")
    }

    init(_ category: String?) {
        preset = ButtonPreset(category: category)
        self.category = preset == .custom ? category ?? "" : ""
    }

    /// The selected category, by its buttons or by its name.
    var chosenCategory: String? {
        preset.category ?? (preset == .custom && !category.isEmpty ? category : nil)
    }

    /// A name that is not used makes no difference.
    static func == (left: ButtonFields, right: ButtonFields) -> Bool {
        left.chosenCategory == right.chosenCategory
    }
}
