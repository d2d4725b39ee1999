import Reasons

/// What can be wrong with the credentials of an app, and what to do about it.
package enum CredentialReason: String, ReasonCode {
    package static let family = ReasonFamily.credential

    case accountAddress = """
        The service account's token_uri is no address of Google's. Download its JSON again from \
        Firebase.
        """
    case accountFile = """
        The file is {name}, not a service account's JSON. Download one in the Firebase \
        console: Project settings, Service accounts, Generate new private key.
        """
    case accountKey =
        "The service account's private_key is not an RSA key in PEM. Download it again."
    case accountMissing =
        "The app has no Firebase service account. Upload its JSON in the app's settings."
    case accountRefused = """
        Google does not accept the service account: {reason}. Check that it has not been \
        deleted and that this server's clock is right.
        """
    case accountWithout =
        "The service account's JSON has no {name}. Download it again from Firebase."
    case appleCredentialsMissing = """
        The app {app} has no APNs credentials for {environment}. Upload a .p8 key or a .p12 \
        certificate in the app's settings.
        """
    case certificateApp =
        "The push certificate is for {app}, not for {other}. Upload the certificate of {bundle}."
    case certificateEarly =
        "The push certificate of {app} is valid from {day}. Check this server's clock."
    case certificateEnds = """
        The push certificate of {app} expires in {count} days, on {day}. Create a new one and \
        upload it before then.
        """
    case certificateEnvironment = """
        The push certificate of {app} is for {first} and not for {second}. Upload one for \
        {environment}.
        """
    case certificateExpired = """
        The push certificate of {app} expired on {day}. Create a new one at Apple's developer \
        site and upload it.
        """
    case certificateNamesNoApp = """
        The certificate names no app (its subject has no UID), so it is not an Apple push \
        certificate. Create one at Apple's developer site: Identifiers, your app, Push \
        Notifications.
        """
    case certificateOver = """
        The push certificate of {app} expired on {day}: its pushes do not leave. Create a new \
        one at Apple's developer site and upload it.
        """
    case certificateUnreadable = "The certificate cannot be read ({reason}). Export it again."
    case contact = """
        The contact "{contact}" is neither mailto: with an address nor an https: URL without \
        spaces or brackets.
        """
    case damaged = "The stored credentials are damaged or belong to another row. Enter them again."
    case fileCertificate = """
        The .p12 file holds no certificate that belongs to its private key. Export the \
        certificate and its private key together from Keychain Access.
        """
    case fileEncryption = """
        The .p12 file is encrypted in a way that is not supported. Convert it with `openssl \
        pkcs12 -legacy -in old.p12 -nodes -out all.pem` and `openssl pkcs12 -export -in \
        all.pem -out new.p12`.
        """
    case fileKey = """
        The .p12 file holds no private key. In Keychain Access choose the certificate with the \
        key below it, on the Mac that made the request, and export both.
        """
    case fileKind = """
        The file is not a PKCS#12 (.p12) file. Export the certificate together with its \
        private key from Keychain Access, or make one with `openssl pkcs12 -export`.
        """
    case filePassword =
        "The .p12 file is protected by a password. Enter the password it was exported with."
    case fileUnreadable = "The .p12 file cannot be read ({reason}). Export it again."
    case keyIdentifier = """
        The {name} "{value}" is not ten letters and digits. Copy it from Apple's developer \
        site, Certificates, Identifiers & Profiles.
        """
    case noAccount = """
        The file is not a service account's JSON. Download one in the Firebase console: \
        Project settings, Service accounts, Generate new private key.
        """
    case otherKey = """
        The stored credentials were sealed with another secret key. Start the server with the \
        key file it had (--secret-key-file), or enter them again.
        """
    case project = "The project id \"{name}\" has characters that no project id has."
    case serverMissing = "No APNs server is configured for {environment}."
    case signingKey = """
        The signing key {reason}. Use the .p8 file from Apple's developer site (Keys) as it \
        is, from BEGIN PRIVATE KEY to END PRIVATE KEY.
        """
    case signingKeyBinary = "is a .p12 or another binary file"
    case signingKeyCertificate = "is a certificate"
    case signingKeyEmpty = "is empty"
    case signingKeyNoPEM = "is no PEM text"
    case signingKeyOther = "is no P-256 private key: it is damaged, or RSA or of another curve"
    case signingKeyRSA = "is an RSA key"
    case site = """
        The site "{site}" is not a web address. Enter where a tap leads, such as \
        https://www.example.com/.
        """
    case vapidKey = """
        The VAPID private key is neither 32 bytes in base64url nor a P-256 key in PEM. Restore \
        it from your backup; with a new key every browser has to subscribe again.
        """
    case wrongPassword =
        "The password does not open the .p12 file. Enter the one it was exported with."
}
