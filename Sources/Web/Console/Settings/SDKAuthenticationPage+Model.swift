import Foundation
import Model
import WebPages

/// Whether the users of each app prove who they are, and with which public keys.
struct SDKAuthenticationPage {
    struct Key {
        let keyID: String
        let description: String
        let pem: String
        let isPrimary: Bool
        let deleteQuestion: String
    }

    /// A mode that can be chosen.
    struct Choice {
        let mode: String
        let label: String
        /// What is asked before; `nil` if the change takes nothing from anybody.
        let question: String?
    }

    struct App {
        let appID: Int64
        let name: String
        let platform: String
        let proof: String
        let unproved: String?
        let choices: [Choice]
        let keys: [Key]
        let hasKeys: Bool
        let hasRoom: Bool
        let isAdding: Bool
        let description: SettingsField
        let key: SettingsField
        /// What was refused and belongs to no field of the form.
        let refusal: String?
    }

    let apps: [App]
    let isEmpty: Bool
    let action: String
    let keyHelp: String

    init(
        _ apps: [(app: Model.App, devices: (all: Int, unproved: Int))],
        faults: [FormFault],
        at faulty: AppID?,
        visit: Visit
    ) {
        self.apps = apps.map { app, devices in
            App(app, devices, faults: app.id == faulty ? faults : [], visit: visit)
        }
        isEmpty = apps.isEmpty
        action = ConsolePath.sdkAuthentication.path
        keyHelp = visit.words(
            "sdk_auth.key_help",
            ["count": visit.words.number(SDKAuthenticationPolicy.keyLimit)]
        )
    }
}

extension SDKAuthenticationPage.App {
    fileprivate init(
        _ app: App,
        _ devices: (all: Int, unproved: Int),
        faults: [FormFault],
        visit: Visit
    ) {
        let words = visit.words
        let policy = app.authentication
        appID = app.id.rawValue
        name = app.name
        platform = words((AppPlatform(rawValue: app.platform) ?? .ios).wordKey)
        proof = words(policy.mode.wordKey)
        let counts = [
            "name": app.name, "unproved": words.number(devices.unproved),
            "all": words.number(devices.all),
        ]
        unproved =
            devices.unproved == 0
            ? nil
            : words(
                "apps.proof_unproved",
                ["count": words.number(devices.unproved), "all": words.number(devices.all)]
            )
        choices = SDKAuthenticationPolicy.Mode.allCases.filter { $0 != policy.mode }.map { mode in
            SDKAuthenticationPage.Choice(
                mode: mode.rawValue,
                label: words(mode.verbKey),
                question: mode.questionKey.map { words($0, counts) }
            )
        }
        keys = policy.keys.enumerated().map { place, key in
            SDKAuthenticationPage.Key(
                keyID: key.id.uuidString.lowercased(),
                description: key.description,
                pem: key.publicKey,
                isPrimary: place == 0,
                deleteQuestion: words("sdk_auth.delete_confirm", ["name": key.description])
            )
        }
        hasKeys = !policy.keys.isEmpty
        hasRoom = policy.keys.count < SDKAuthenticationPolicy.keyLimit
        description = SettingsField("description", visit, faults)
        key = SettingsField("key", visit, faults)
        refusal = faults.first { $0.field.isEmpty }?.text
        isAdding = faults.contains { !$0.field.isEmpty }
    }
}

extension SDKAuthenticationPolicy.Mode {
    /// The word on the button that chooses this mode.
    fileprivate var verbKey: String {
        switch self {
        case .disabled: "sdk_auth.disable"
        case .optional: "sdk_auth.optional"
        case .required: "sdk_auth.require"
        }
    }

    fileprivate var questionKey: String? {
        switch self {
        case .disabled: "sdk_auth.disable_confirm"
        case .optional: nil
        case .required: "sdk_auth.require_confirm"
        }
    }
}
