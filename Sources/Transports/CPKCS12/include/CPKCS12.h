#ifndef NOROSHI_CPKCS12_H
#define NOROSHI_CPKCS12_H

#include <stddef.h>
#include <stdint.h>

/// What is inside a PKCS#12 file.
enum pkcs12_content {
    /// It cannot be opened with this password, or is no PKCS#12 file.
    PKCS12_CLOSED = 0,
    /// A private key and the certificate that belongs to it.
    PKCS12_PAIR = 1,
    PKCS12_NO_KEY = 2,
    /// A private key, but no certificate that belongs to it.
    PKCS12_NO_CERTIFICATE = 3,
};

/// Looks into a file; the password ends with a zero byte, or is NULL for none.
///
/// NIOSSL ends the process for a file without a pair, so a file that somebody has uploaded is
/// looked at here first, with the same library.
enum pkcs12_content pkcs12_content_of(const uint8_t *bytes, size_t count, const char *password);

#endif
