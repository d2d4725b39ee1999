import Accounts
import Model
import Reasons
import WebPages

/// The form of the workspace's provider.
struct SingleSignOnPage {
    /// What a look at the provider has shown.
    enum Finding {
        case works(OpenIDProviderService.Findings)
        case flaw(OpenIDError)
    }

    struct Result {
        let verdict: String
        let style: String
        let detail: String
    }

    let action: String
    let tryAction: String
    /// `nil` if there is no provider yet.
    let removeAction: String?
    let removeQuestion: String
    /// The address that the provider has to know.
    let redirect: String
    let name: SettingsField
    let issuer: SettingsField
    let clientID: SettingsField
    let secretFault: String?
    let isStored: Bool
    let isOnlyWay: Bool
    let isSecondFactor: Bool
    let domains: SettingsField
    let roles: [SettingsChoice]
    let result: Result?

    init(
        _ form: SingleSignOnForm,
        isStored: Bool,
        faults: [FormFieldError],
        finding: Finding?,
        context: ConsoleContext
    ) {
        let words = context.words
        func fault(_ field: FieldPath.OpenID) -> String? {
            faults.first { $0.field == field.rawValue }?.text
        }
        action = ConsolePath.singleSignOn.path
        tryAction = ConsolePath.trySingleSignOn.path
        removeAction = isStored ? ConsolePath.removeSingleSignOn.path : nil
        removeQuestion = words("sso.remove_confirm", ["name": form.name])
        redirect = OpenIDLoginRoutes.redirect(context.workspace, origin: context.origin)
        name = SettingsField(value: form.name, fault: fault(.name))
        issuer = SettingsField(value: form.issuer, fault: fault(.issuer))
        clientID = SettingsField(value: form.clientID, fault: fault(.clientID))
        secretFault = fault(.secret)
        self.isStored = isStored
        isOnlyWay = form.isOnlyWay
        isSecondFactor = form.isSecondFactor
        domains = SettingsField(value: form.domains, fault: fault(.domains))
        roles = Member.Role.allCases.map {
            SettingsChoice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == form.role
            )
        }
        result = finding.map { finding in
            switch finding {
            case .works(let found):
                Result(
                    verdict: words("sso.works"),
                    style: "good",
                    detail: words(
                        "sso.found",
                        [
                            "address": found.metadata.authorizationEndpoint,
                            "method": found.metadata.clientAuthentication.rawValue,
                            "keys": words.number(found.keys),
                        ]
                    )
                )
            case .flaw(let flaw):
                Result(
                    verdict: words("sso.does_not_work"),
                    style: "bad",
                    detail: words(flaw.reason)
                )
            }
        }
    }
}
