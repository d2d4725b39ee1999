import Accounts
import Credentials
import Model
import WebPages

/// A field of a settings form with its raw text and its error.
struct SettingsField {
    let value: String
    let fault: String?

    init(value: String, fault: String?) {
        self.value = value
        self.fault = fault
    }

    init(_ name: String, _ context: ConsoleContext, _ faults: [FormFieldError]) {
        value = faults.isEmpty ? "" : context.form[name]
        fault = faults.first { $0.field == name }?.text
    }
}

struct SettingsChoice {
    let value: String
    let label: String
    let isChosen: Bool
}

/// The apps with their keys and certificates.
struct AppsPage {
    /// An app with its credentials.
    struct Entry {
        let app: Model.App
        let credentials: [CredentialSummary]
        /// The results of testing the credentials, if they were tested.
        let trials: [CredentialTestResult]
    }

    struct Credential {
        let kind: String
        let description: String
        let expires: Moment?
        let isOver: Bool
        let warning: String?
    }

    /// The result of testing the credentials with a provider.
    struct TestResult {
        let target: String
        let verdict: String
        let style: String
        let detail: String?

        init(_ trial: CredentialTestResult, _ words: Words) {
            target = trial.target
            switch trial.result {
            case .works:
                (verdict, style) = (words("apps.test_works"), "good")
                detail = nil
            case .refused(let reason, let advice):
                (verdict, style) = (words("apps.test_refused"), "bad")
                detail = "\(reason): \(advice)"
            case .unanswered(let reason):
                (verdict, style) = (words("apps.test_unanswered"), "warn")
                detail = reason
            }
        }
    }

    struct App {
        let id: Int64
        let name: String
        let platform: String
        let identifier: String
        let sdkKey: String
        let credentials: [Credential]
        let hasCredentials: Bool
        /// How users are verified.
        let proof: String
        let proofAddress: String
        let isApple: Bool
        let isAndroid: Bool
        let isWeb: Bool
        let action: String
        let testAction: String
        let results: [TestResult]
        let fault: String?
        let isOpen: Bool
    }

    let apps: [App]
    let isEmpty: Bool
    let action: String
    let name: SettingsField
    let identifier: SettingsField
    let platforms: [SettingsChoice]
    let isAdding: Bool

    init(
        _ entries: [Entry],
        faults: [FormFieldError],
        at faultyApp: AppID?,
        context: ConsoleContext
    ) {
        apps = entries.map { entry in
            let app = entry.app
            let platform = AppPlatform(rawValue: app.platform) ?? .ios
            return App(
                id: app.id.rawValue,
                name: app.name,
                platform: context.words(platform.wordKey),
                identifier: app.bundleID,
                sdkKey: app.sdkKey,
                credentials: entry.credentials.map {
                    Credential(
                        kind: context.words($0.kind.wordKey),
                        description: $0.lines.joined(separator: ", "),
                        expires: $0.expires.map(context.moment),
                        isOver: $0.expires.map { $0 < context.now } ?? false,
                        warning: $0.warning.map { context.words($0) }
                    )
                },
                hasCredentials: !entry.credentials.isEmpty,
                proof: context.words(app.authentication.mode.wordKey),
                proofAddress: ConsolePath.appProof(String(app.id.rawValue)).path,
                isApple: platform == .ios,
                isAndroid: platform == .android,
                isWeb: platform == .web,
                action: ConsolePath.appCredentials(String(app.id.rawValue)).path,
                testAction: ConsolePath.testCredentials(String(app.id.rawValue)).path,
                results: entry.trials.map { TestResult($0, context.words) },
                fault: faultyApp == app.id ? faults.first?.text : nil,
                isOpen: faultyApp == app.id || entry.credentials.isEmpty
            )
        }
        isEmpty = entries.isEmpty
        action = ConsolePath.apps.path
        let own = faultyApp == nil ? faults : []
        name = SettingsField("name", context, own)
        identifier = SettingsField("identifier", context, own)
        platforms = AppPlatform.allCases.map {
            SettingsChoice(
                value: $0.rawValue,
                label: context.words($0.wordKey),
                isChosen: context.form["platform"] == $0.rawValue
            )
        }
        isAdding = isEmpty || !own.isEmpty
    }
}

/// The platform of an app, as far as pages distinguish them.
enum AppPlatform: String, CaseIterable {
    case ios, android, web

    var wordKey: String {
        switch self {
        case .ios: "platform.ios"
        case .android: "platform.android"
        case .web: "platform.web"
        }
    }
}

extension CredentialSummary.Kind {
    var wordKey: String {
        switch self {
        case .apnsKey: "credential.apns_key"
        case .apnsCertificate: "credential.apns_certificate"
        case .fcmAccount: "credential.fcm_account"
        case .vapidKey: "credential.vapid_key"
        }
    }
}

/// The members of the workspace.
struct TeamPage {
    struct Member {
        let name: String
        let address: String
        let email: String
        let role: String
        let roles: [SettingsChoice]
        let signedIn: Moment?
        /// `nil` for the current member.
        let roleAction: String?
        /// Creates a link for a new password; `nil` for the current member, and where it is refused.
        let linkAction: String?
        /// Whether the account is managed in other workspaces too, which the current member does not
        /// administer.
        let isElsewhere: Bool
        let removeAction: String?
        let removeQuestion: String
    }

    /// A link for a new password, shown once.
    struct Link {
        let name: String
        let address: String

        init(_ link: PasswordLink, _ context: ConsoleContext) {
            name = link.member.name
            address = context.origin + link.path
        }
    }

    let members: [Member]
    let link: Link?
    let name: SettingsField
    let email: SettingsField
    /// Never written back into the page.
    let passwordFault: String?
    let roles: [SettingsChoice]
    let action: String
    /// The attempts to sign in, in the audit log.
    let signInsAddress: String
    let isAdding: Bool

    init(
        _ members: [Model.Member],
        outOfReach: Set<MemberID>,
        faults: [FormFieldError],
        link: Link?,
        context: ConsoleContext
    ) {
        self.link = link
        self.members = members.map { member in
            let isSelf = member.id == context.member.id
            let isElsewhere = outOfReach.contains(member.id)
            return Member(
                name: member.name,
                address: ConsolePath.member("\(member.id)").path,
                email: member.email,
                role: context.words(member.role.wordKey),
                roles: Model.Member.Role.allCases.map { role in
                    SettingsChoice(
                        value: role.rawValue,
                        label: context.words(role.wordKey),
                        isChosen: role == member.role
                    )
                },
                signedIn: member.lastSignedInAt.map(context.moment),
                roleAction: isSelf ? nil : ConsolePath.memberRole(String(member.id.rawValue)).path,
                linkAction: isSelf || isElsewhere
                    ? nil : ConsolePath.makePasswordLink(String(member.id.rawValue)).path,
                isElsewhere: isElsewhere,
                removeAction: isSelf
                    ? nil : ConsolePath.removeMember(String(member.id.rawValue)).path,
                removeQuestion: context.words("team.remove_confirm", ["name": member.name])
            )
        }
        name = SettingsField("name", context, faults)
        email = SettingsField("email", context, faults)
        passwordFault = SettingsField("password", context, faults).fault
        roles = Model.Member.Role.allCases.map {
            SettingsChoice(
                value: $0.rawValue,
                label: context.words($0.wordKey),
                isChosen: context.form["role"] == $0.rawValue
            )
        }
        action = ConsolePath.team.path
        signInsAddress = ConsolePath.auditLog.query(FormFields([("text", "sign_in_")]))
        isAdding = !faults.isEmpty
    }
}

extension SDKAuthenticationPolicy.Mode {
    var wordKey: String {
        switch self {
        case .disabled: "apps.proof_disabled"
        case .optional: "apps.proof_optional"
        case .required: "apps.proof_required"
        }
    }
}
