import Credentials
import WebPages

/// The form with which a key or certificate is uploaded.
struct CredentialForm {
    private let context: ConsoleContext

    init(_ context: ConsoleContext) {
        self.context = context
    }

    /// - Throws: ``FormFieldError`` if a field is missing.
    func upload() throws -> CredentialUpload {
        let form = context.form
        switch form["kind"] {
        case "certificate":
            return .apnsCertificate(
                p12: try file("p12"),
                password: form["password"].isEmpty ? nil : form["password"]
            )
        case "fcm":
            return .fcmAccount(json: try file("json"))
        case "vapid":
            return .vapidKey(
                privateKey: form["privateKey"],
                contact: form["contact"],
                site: form["site"]
            )
        default:
            return .apnsKey(
                p8: try file("p8"),
                keyID: try identifier("keyID"),
                teamID: try identifier("teamID")
            )
        }
    }

    private func file(_ field: String) throws -> [UInt8] {
        let file = context.files.first { $0.field == field }
        guard let file, !file.bytes.isEmpty else {
            throw FormFieldError(field: field, text: context.words("fault.file"))
        }
        return file.bytes
    }

    /// Apple's key and team identifiers have ten letters and digits.
    private func identifier(_ field: String) throws -> String {
        let text = context.form.trimmed(field).uppercased()
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard text.count == 10, isPlain else {
            throw FormFieldError(field: field, text: context.words("fault.apple_id"))
        }
        return text
    }
}
