#include "CPKCS12.h"

// BoringSSL as NIOSSL links it, under NIOSSL's prefix; it offers no header to other packages. These
// are OpenSSL's functions of the same names, all of whose arguments are opaque pointers.
typedef struct bio_st BIO;
typedef struct pkcs12_st PKCS12;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct x509_st X509;

extern BIO *CNIOBoringSSL_BIO_new_mem_buf(const void *bytes, intptr_t count);
extern int CNIOBoringSSL_BIO_free(BIO *bio);
extern PKCS12 *CNIOBoringSSL_d2i_PKCS12_bio(BIO *bio, PKCS12 **out);
extern int CNIOBoringSSL_PKCS12_parse(
    const PKCS12 *p12, const char *password, EVP_PKEY **key, X509 **certificate, void **others);
extern void CNIOBoringSSL_PKCS12_free(PKCS12 *p12);
extern void CNIOBoringSSL_EVP_PKEY_free(EVP_PKEY *key);
extern void CNIOBoringSSL_X509_free(X509 *certificate);
extern void CNIOBoringSSL_ERR_clear_error(void);

enum pkcs12_content pkcs12_content_of(const uint8_t *bytes, size_t count, const char *password) {
    BIO *bio = CNIOBoringSSL_BIO_new_mem_buf(bytes, (intptr_t)count);
    PKCS12 *p12 = bio ? CNIOBoringSSL_d2i_PKCS12_bio(bio, NULL) : NULL;
    EVP_PKEY *key = NULL;
    X509 *certificate = NULL;
    enum pkcs12_content content = PKCS12_CLOSED;
    if (p12 && CNIOBoringSSL_PKCS12_parse(p12, password, &key, &certificate, NULL) == 1) {
        content = !key ? PKCS12_NO_KEY : !certificate ? PKCS12_NO_CERTIFICATE : PKCS12_PAIR;
    }
    if (key) CNIOBoringSSL_EVP_PKEY_free(key);
    if (certificate) CNIOBoringSSL_X509_free(certificate);
    if (p12) CNIOBoringSSL_PKCS12_free(p12);
    if (bio) CNIOBoringSSL_BIO_free(bio);
    // A failure here is told by the answer; it would stick to the next call of the library.
    CNIOBoringSSL_ERR_clear_error();
    return content;
}
