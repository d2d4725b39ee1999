/// What a request is signed with. It says nothing of itself to logs.
package struct BucketCredentials: Sendable, Hashable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    package let keyID: String
    let secret: String
    /// Comes with keys that last for some hours.
    let token: String?

    package init(keyID: String, secret: String, token: String? = nil) {
        self.keyID = keyID
        self.secret = secret
        self.token = token
    }

    /// Reads the form of `~/.aws/credentials`: the section `default`, or lines before any section.
    ///
    /// - Returns: `nil` if there is no key with its secret.
    package init?(file text: String) {
        var values: [String: String] = [:]
        var isOurs = true
        for line in text.split(whereSeparator: \.isNewline) {
            let trimmed = line.drop(while: \.isWhitespace)
            if trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            if trimmed.hasPrefix("[") {
                isOurs = trimmed.hasPrefix("[default]")
                continue
            }
            let parts = trimmed.split(separator: "=", maxSplits: 1)
            guard isOurs, parts.count == 2 else { continue }
            let name = parts[0].filter { !$0.isWhitespace }.lowercased()
            values[name] = String(parts[1].filter { !$0.isWhitespace })
        }
        guard let keyID = values["aws_access_key_id"], !keyID.isEmpty,
            let secret = values["aws_secret_access_key"], !secret.isEmpty
        else { return nil }
        self.init(keyID: keyID, secret: secret, token: values["aws_session_token"])
    }

    package var description: String { "credentials of \(keyID)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}
