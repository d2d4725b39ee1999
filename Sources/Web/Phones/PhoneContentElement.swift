/// A part of what a content extension draws in an expanded notification.
package struct PhoneContentElement: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case column, row, text, button, field, progress, wheel
    }

    /// The place of the element in the content, by which it is touched.
    package var id: String
    package var kind: Kind
    /// The visible text; what is typed in a field.
    package var text: String
    /// What a screen reader says instead of the text.
    package var label: String?
    package var isEnabled: Bool
    /// The hint in an empty field.
    package var placeholder: String?
    /// What the keyboard of a field is for: `email`, `tel` or `text`.
    package var keyboard: String?
    /// The share of a progress, 0 to 1.
    package var fraction: Double?
    /// The sectors of a wheel, clockwise from the top.
    package var sectors: [String]?
    /// How far a wheel has been turned clockwise, in degrees.
    package var degrees: Double?
    package var children: [PhoneContentElement]?

    package init(
        id: String,
        kind: Kind,
        text: String = "",
        label: String? = nil,
        isEnabled: Bool = true,
        placeholder: String? = nil,
        keyboard: String? = nil,
        fraction: Double? = nil,
        sectors: [String]? = nil,
        degrees: Double? = nil,
        children: [PhoneContentElement]? = nil
    ) {
        self.id = id
        self.kind = kind
        self.text = text
        self.label = label
        self.isEnabled = isEnabled
        self.placeholder = placeholder
        self.keyboard = keyboard
        self.fraction = fraction
        self.sectors = sectors
        self.degrees = degrees
        self.children = children
    }
}
