/// Devices that have proved whose they are: the user whom a signed token named that the device
/// brought, or to whom a server gave its push token. Another user has to be proved anew.
enum ProvedDeviceSchema {
    static let sql = "ALTER TABLE devices ADD COLUMN proved_for INTEGER"
}
