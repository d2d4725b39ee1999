/// How an app's users prove who they are: JSON of `SDKAuthentication`, null for not at all.
enum SDKAuthenticationSchema {
    static let sql = "ALTER TABLE apps ADD COLUMN sdk_authentication TEXT"
}
