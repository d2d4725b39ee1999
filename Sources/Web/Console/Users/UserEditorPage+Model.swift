import Foundation
import Model
import Users
import WebPages

/// The form for a user's attributes.
struct UserEditorPage {
    struct Choice {
        let value: String
        let label: String
        let isChosen: Bool
    }

    /// A standard attribute: a text, a day, or one of a few values.
    struct Standard {
        let field: String
        let label: String
        let value: String
        /// The type of the input; `nil` where one chooses.
        let input: String?
        let list: String?
        let choices: [Choice]
        let help: String?
        let fault: String?
    }

    struct Row {
        let anchor: String
        let name: String
        let value: String
        let kinds: [Choice]
        let position: Int
        let fault: String?
    }

    struct Fault {
        let field: String
        let label: String
        let text: String
    }

    let title: String
    let action: String
    let userAddress: String
    let basis: String
    let standard: [Standard]
    let rows: [Row]
    let zones: [String]
    let faults: [Fault]
    let hasFaults: Bool

    init(_ form: UserForm, of user: UserSummary, faults: [FormFieldError], context: ConsoleContext)
    {
        let words = context.words
        func fault(_ field: String) -> String? { faults.first { $0.field == field }?.text }
        let id = "\(user.profile.id)"
        title = UserPage.title(user, context)
        action = ConsolePath.editUser(id).path
        userAddress = ConsolePath.user(id).path
        basis = form.basis
        standard = UserForm.standardAttributes.map { attribute in
            let field = UserForm.field(attribute)
            let value = form.standard[attribute] ?? ""
            let choices = UserPage.codes(of: attribute).map(\.code)
            return Standard(
                field: field,
                label: UserPage.label(of: field, words),
                value: value,
                input: choices.isEmpty ? Self.input(attribute) : nil,
                list: attribute == .timeZone ? "zones" : nil,
                choices: choices.isEmpty
                    ? []
                    : ([""] + choices).map {
                        Choice(
                            value: $0,
                            label: $0.isEmpty ? "–" : UserPage.shown($0, of: attribute, words),
                            isChosen: $0 == value
                        )
                    },
                help: Self.helpKey(attribute).map { words($0) },
                fault: fault(field)
            )
        }
        let shown = form.rows.isEmpty ? [UserForm.Row(name: "", kind: .text, value: "")] : form.rows
        rows = shown.enumerated().map { index, row in
            Row(
                anchor: UserForm.field(row: index),
                name: row.name,
                value: row.value,
                kinds: UserForm.Kind.allCases.map {
                    Choice(
                        value: $0.rawValue,
                        label: words($0.wordKey),
                        isChosen: $0 == row.kind
                    )
                },
                position: index + 1,
                fault: fault(UserForm.field(row: index))
            )
        }
        zones = WorkspaceSettings.timeZones.sorted()
        self.faults = faults.map { found in
            let row = shown.indices.first { UserForm.field(row: $0) == found.field }
            return Fault(
                field: found.field,
                label: row.map { shown[$0].name.isEmpty ? words("users.custom") : shown[$0].name }
                    ?? UserPage.label(of: found.field, words),
                text: found.text
            )
        }
        hasFaults = !faults.isEmpty
    }

    private static func input(_ attribute: StandardAttribute) -> String {
        attribute == .dateOfBirth ? "date" : "text"
    }

    private static func helpKey(_ attribute: StandardAttribute) -> String? {
        switch attribute {
        case .phone: "users.phone_help"
        case .country: "users.country_help"
        case .language: "users.language_help"
        default: nil
        }
    }
}
