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

    struct App {
        let appID: Int64
        let name: String
        let platform: String
        let proof: String
        let modeAddress: String
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
        _ apps: [Model.App],
        faults: [FormFieldError],
        at faulty: AppID?,
        context: ConsoleContext
    ) {
        self.apps = apps.map { App($0, faults: $0.id == faulty ? faults : [], context: context) }
        isEmpty = apps.isEmpty
        action = ConsolePath.sdkAuthentication.path
        keyHelp = context.words(
            "sdk_auth.key_help",
            ["count": context.words.number(SDKAuthenticationPolicy.keyLimit)]
        )
    }
}

extension SDKAuthenticationPage.App {
    fileprivate init(_ app: App, faults: [FormFieldError], context: ConsoleContext) {
        let words = context.words
        let policy = app.authentication
        appID = app.id.rawValue
        name = app.name
        platform = words((AppPlatform(rawValue: app.platform) ?? .ios).wordKey)
        proof = words(policy.mode.wordKey)
        modeAddress = ConsolePath.sdkAuthenticationMode("\(app.id)").path
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
        description = SettingsField("description", context, faults)
        key = SettingsField("key", context, faults)
        refusal = faults.first { $0.field.isEmpty }?.text
        isAdding = faults.contains { !$0.field.isEmpty }
    }
}
