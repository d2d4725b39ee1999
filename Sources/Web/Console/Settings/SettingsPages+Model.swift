import Model
import WebPages

/// A field of a settings form with what was typed and what is wrong with it.
struct SettingsField {
    let value: String
    let fault: String?

    init(value: String, fault: String?) {
        self.value = value
        self.fault = fault
    }

    init(_ name: String, _ visit: Visit, _ rejected: SettingsRejected?) {
        value = rejected == nil ? "" : visit.form[name]
        fault = rejected.flatMap { $0.field == name ? visit.words.said($0.text) : nil }
    }
}

struct SettingsChoice {
    let value: String
    let label: String
    let isChosen: Bool
}

/// The apps with their keys and certificates.
struct AppsPage {
    struct Credential {
        let kind: String
        let description: String
        let expires: Moment?
        let isOver: Bool
        let warning: String?
    }

    /// How a provider answered when the credentials were tried.
    struct TestResult {
        let target: String
        let verdict: String
        let style: String
        let detail: String?

        init(_ result: CredentialResult, _ words: Words) {
            target = result.target
            detail = result.detail.isEmpty ? nil : words.said(result.detail)
            switch result.verdict {
            case .works: (verdict, style) = (words("apps.test_works"), "good")
            case .refused: (verdict, style) = (words("apps.test_refused"), "bad")
            case .unanswered: (verdict, style) = (words("apps.test_unanswered"), "warn")
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
        /// How users prove who they are, and which devices have not.
        let proof: String
        let unproved: String?
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
        _ apps: [AppSettings],
        rejected: SettingsRejected?,
        rejectedApp: Int64?,
        tested: (app: Int64, results: [CredentialResult])? = nil,
        visit: Visit
    ) {
        self.apps = apps.map { app in
            App(
                id: app.id,
                name: app.name,
                platform: visit.words(app.platform.wordKey),
                identifier: app.identifier,
                sdkKey: app.sdkKey,
                credentials: app.credentials.map {
                    Credential(
                        kind: visit.words($0.kind.wordKey),
                        description: $0.description,
                        expires: $0.expiresAt.map(visit.moment),
                        isOver: $0.expiresAt.map { $0 < visit.now } ?? false,
                        warning: $0.warning.map(visit.words.said)
                    )
                },
                hasCredentials: !app.credentials.isEmpty,
                proof: visit.words(app.proof.mode.wordKey),
                unproved: app.proof.unproved == 0
                    ? nil
                    : visit.words(
                        "apps.proof_unproved",
                        [
                            "count": visit.words.number(app.proof.unproved),
                            "all": visit.words.number(app.proof.devices),
                        ]
                    ),
                isApple: app.platform == .ios,
                isAndroid: app.platform == .android,
                isWeb: app.platform == .web,
                action: ConsolePath.appCredentials(String(app.id)).path,
                testAction: ConsolePath.testCredentials(String(app.id)).path,
                results: (tested?.app == app.id ? tested?.results ?? [] : []).map {
                    TestResult($0, visit.words)
                },
                fault: rejectedApp == app.id ? rejected.map { visit.words.said($0.text) } : nil,
                isOpen: rejectedApp == app.id || app.credentials.isEmpty
            )
        }
        isEmpty = apps.isEmpty
        action = ConsolePath.apps.path
        let own = rejectedApp == nil ? rejected : nil
        name = SettingsField("name", visit, own)
        identifier = SettingsField("identifier", visit, own)
        platforms = AppPlatform.allCases.map {
            SettingsChoice(
                value: $0.rawValue,
                label: visit.words($0.wordKey),
                isChosen: visit.form["platform"] == $0.rawValue
            )
        }
        isAdding = isEmpty || own != nil
    }
}

extension AppPlatform {
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
        let email: String
        let role: String
        let roles: [SettingsChoice]
        let signedIn: Moment?
        /// `nil` for the member who looks.
        let roleAction: String?
        /// Makes a link for a new password.
        let linkAction: String?
        let removeAction: String?
        let removeQuestion: String
    }

    /// A link for a new password, shown once.
    struct Link {
        let name: String
        let address: String
    }

    let members: [Member]
    let link: Link?
    let name: SettingsField
    let email: SettingsField
    /// Never written back into the page.
    let passwordFault: String?
    let roles: [SettingsChoice]
    let action: String
    let isAdding: Bool

    init(
        _ members: [TeamMember],
        rejected: SettingsRejected?,
        link: Link? = nil,
        hasLinks: Bool = false,
        visit: Visit
    ) {
        self.link = link
        self.members = members.map { member in
            let isSelf = member.id == visit.member.id
            return Member(
                name: member.name,
                email: member.email,
                role: visit.words(member.role.wordKey),
                roles: Model.Member.Role.allCases.map { role in
                    SettingsChoice(
                        value: role.rawValue,
                        label: visit.words(role.wordKey),
                        isChosen: role == member.role
                    )
                },
                signedIn: member.lastSignedInAt.map(visit.moment),
                roleAction: isSelf ? nil : ConsolePath.memberRole(String(member.id)).path,
                linkAction: isSelf || !hasLinks
                    ? nil : ConsolePath.makePasswordLink(String(member.id)).path,
                removeAction: isSelf ? nil : ConsolePath.removeMember(String(member.id)).path,
                removeQuestion: visit.words("team.remove_confirm", ["name": member.name])
            )
        }
        name = SettingsField("name", visit, rejected)
        email = SettingsField("email", visit, rejected)
        passwordFault = SettingsField("password", visit, rejected).fault
        roles = Model.Member.Role.allCases.map {
            SettingsChoice(
                value: $0.rawValue,
                label: visit.words($0.wordKey),
                isChosen: visit.form["role"] == $0.rawValue
            )
        }
        action = ConsolePath.team.path
        isAdding = rejected != nil
    }
}

extension UserProof.Mode {
    fileprivate var wordKey: String {
        switch self {
        case .disabled: "apps.proof_disabled"
        case .optional: "apps.proof_optional"
        case .required: "apps.proof_required"
        }
    }
}
