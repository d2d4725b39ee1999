/// The fingerprint of the key with which the secrets of a database are encrypted.
enum SecretKeySchema {
    static let sql = """
        CREATE TABLE secret_key (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            fingerprint BLOB NOT NULL
        );
        """
}

extension PostgresSchema {
    static let secretKey = """
        CREATE TABLE secret_key (
            id bigint PRIMARY KEY CHECK (id = 1),
            fingerprint bytea NOT NULL
        );
        """
}
