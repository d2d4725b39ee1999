import Model
import WebPages

/// How an app's users are verified, and how many devices are not: a part that its page loads
/// separately, because every device is counted for it.
struct AppProofPart {
    let proof: String
    let unproved: String?

    init(_ app: App, _ devices: (all: Int, unproved: Int), _ context: ConsoleContext) {
        let words = context.words
        proof = words(app.authentication.mode.wordKey)
        unproved =
            devices.unproved == 0
            ? nil
            : words(
                "apps.proof_unproved",
                ["count": words.number(devices.unproved), "all": words.number(devices.all)]
            )
    }
}

/// The same, with the other modes that can be chosen.
struct SDKAuthenticationModePart {
    /// A mode that can be chosen.
    struct Choice {
        let mode: String
        let label: String
        /// What is asked before; `nil` if the change takes nothing from anybody.
        let question: String?
    }

    let appID: Int64
    let proof: String
    let unproved: String?
    let choices: [Choice]
    let action: String
    let csrf: String

    init(_ app: App, _ devices: (all: Int, unproved: Int), _ context: ConsoleContext) {
        let words = context.words
        let shown = AppProofPart(app, devices, context)
        let counts = [
            "name": app.name, "unproved": words.number(devices.unproved),
            "all": words.number(devices.all),
        ]
        appID = app.id.rawValue
        proof = shown.proof
        unproved = shown.unproved
        choices = SDKAuthenticationPolicy.Mode.allCases
            .filter { $0 != app.authentication.mode }
            .map { mode in
                Choice(
                    mode: mode.rawValue,
                    label: words(mode.verbKey),
                    question: mode.questionKey.map { words($0, counts) }
                )
            }
        action = ConsolePath.sdkAuthentication.path
        csrf = context.csrf
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
