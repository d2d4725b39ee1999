/// How an app's users are authenticated: JSON of `SDKAuthenticationPolicy`; NULL means not at all.
enum SDKAuthenticationSchema {
    static let sql = "ALTER TABLE apps ADD COLUMN sdk_authentication TEXT"
}
