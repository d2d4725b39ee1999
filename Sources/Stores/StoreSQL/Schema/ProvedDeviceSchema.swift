/// Devices with a verified user: the user whom the device's signed token named, or to whom a server
/// assigned its push token. Another user must be verified again.
enum ProvedDeviceSchema {
    static let sql = "ALTER TABLE devices ADD COLUMN proved_for INTEGER"
}
