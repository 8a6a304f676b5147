#ifndef CWEBSOCKETS_TLS_H
#define CWEBSOCKETS_TLS_H

#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <time.h>

/// A server's certificate with what it is signed by, and its private key.
struct cws_certificate {
    X509 *leaf;
    STACK_OF(X509) *chain;  ///< without the leaf, nearest first; may be empty
    EVP_PKEY *key;
};

/// Which file can't be used, and why not.
enum cws_certificate_fault {
    cws_certificate_fine = 0,
    cws_certificate_unreadable = 1,  ///< no certificate in the first file
    cws_key_unreadable = 2,          ///< no key in the second, or one behind a password
    cws_key_foreign = 3,             ///< a key of another certificate
    cws_certificate_unusable = 4,    ///< both can be read, but OpenSSL does not take them
};

/// Asks nobody for a password.
static inline int cws_no_password(char *buffer, int size, int is_writing, void *user) {
    (void)buffer; (void)size; (void)is_writing; (void)user;
    return 0;
}

/// Frees what a certificate holds; a connection that uses it keeps its own reference.
static inline void cws_certificate_free(struct cws_certificate *certificate) {
    X509_free(certificate->leaf);
    sk_X509_pop_free(certificate->chain, X509_free);
    EVP_PKEY_free(certificate->key);
    memset(certificate, 0, sizeof(*certificate));
}

/// Reads the certificates of a PEM file: the server's own first, then what it is signed by.
static inline int cws_read_chain(const char *path, struct cws_certificate *certificate) {
    BIO *file = BIO_new_file(path, "r");
    if (!file) return 0;
    certificate->leaf = PEM_read_bio_X509_AUX(file, NULL, cws_no_password, NULL);
    certificate->chain = sk_X509_new_null();
    X509 *next = NULL;
    while (certificate->leaf && certificate->chain && (next = PEM_read_bio_X509(file, NULL, cws_no_password, NULL))) {
        if (sk_X509_push(certificate->chain, next)) continue;
        X509_free(next);
        break;
    }
    // Behind the last one nothing begins, which is how its end shows; anything else that is broken is a fault.
    int ended = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    BIO_free(file);
    if (!certificate->leaf || !certificate->chain || !ended) return 0;
    ERR_clear_error();
    return 1;
}

/// Whether OpenSSL takes a certificate for a server: its key is strong enough, for one.
static inline int cws_certificate_is_usable(const struct cws_certificate *certificate) {
    SSL_CTX *trial = SSL_CTX_new(TLS_server_method());
    int usable = trial
        && SSL_CTX_use_cert_and_key(trial, certificate->leaf, certificate->key, certificate->chain, 1);
    SSL_CTX_free(trial);
    return usable;
}

/// Reads a certificate and its key from PEM files; on a fault the error queue says why and nothing is held.
static inline enum cws_certificate_fault cws_certificate_read(
    const char *certificates, const char *key, struct cws_certificate *out) {
    memset(out, 0, sizeof(*out));
    ERR_clear_error();
    enum cws_certificate_fault fault = cws_certificate_fine;
    if (!cws_read_chain(certificates, out)) {
        fault = cws_certificate_unreadable;
    } else {
        BIO *file = BIO_new_file(key, "r");
        if (file) out->key = PEM_read_bio_PrivateKey(file, NULL, cws_no_password, NULL);
        BIO_free(file);
        if (!out->key) fault = cws_key_unreadable;
        else if (!X509_check_private_key(out->leaf, out->key)) fault = cws_key_foreign;
        else if (!cws_certificate_is_usable(out)) fault = cws_certificate_unusable;
    }
    if (fault != cws_certificate_fine) cws_certificate_free(out);
    return fault;
}

/// OpenSSL's last error on this thread, removed from its queue; NULL if there is none.
static inline const char *cws_tls_complaint(void) {
    unsigned long code = ERR_peek_last_error();
    ERR_clear_error();
    if (!code) return NULL;
    return ERR_SYSTEM_ERROR(code) ? strerror(ERR_GET_REASON(code)) : ERR_reason_error_string(code);
}

/// When a certificate expires, in seconds since 1970; 0 when it does not say.
static inline int64_t cws_certificate_expiry(const struct cws_certificate *certificate) {
    struct tm parts;
    if (!ASN1_TIME_to_tm(X509_get0_notAfter(certificate->leaf), &parts)) return 0;
    return (int64_t)timegm(&parts);
}

/// Has `shown` hold another certificate; 0 when memory is out, and then nothing has changed.
static inline int cws_certificate_replace(
    struct cws_certificate *shown, const struct cws_certificate *replacement) {
    STACK_OF(X509) *chain = X509_chain_up_ref(replacement->chain);
    if (!chain) return 0;
    X509_up_ref(replacement->leaf);
    EVP_PKEY_up_ref(replacement->key);
    cws_certificate_free(shown);
    shown->leaf = replacement->leaf;
    shown->chain = chain;
    shown->key = replacement->key;
    return 1;
}

/// A handshake has begun: shows the certificate of the moment. It is given to each connection and not to OpenSSL's
/// context, which keeps one for each kind of key and would go on showing an old one of another kind.
static inline int cws_show_certificate(SSL *tls, void *shown) {
    const struct cws_certificate *certificate = (const struct cws_certificate *)shown;
    SSL_certs_clear(tls);
    return SSL_use_cert_and_key(tls, certificate->leaf, certificate->key, certificate->chain, 1);
}

/// Sets up a server's TLS: 1.2 or later, forward secrecy and authenticated encryption only, no renegotiation, and
/// buffers given back while a connection is idle. Each handshake shows the certificate that `shown` then holds, which
/// must outlive the context. 0 when it can't be.
static inline int cws_tls_set_up(void *context, struct cws_certificate *shown) {
    SSL_CTX *tls = (SSL_CTX *)context;
    SSL_CTX_set_options(tls, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_mode(tls, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_cert_cb(tls, cws_show_certificate, shown);
    return SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION)
        && SSL_CTX_set_cipher_list(tls, "ECDHE+AESGCM:ECDHE+CHACHA20");
}

/// Virtual host option: make a TLS context, for which the user provides the certificate.
static inline uint64_t cws_option_tls_server(void) {
    return LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;
}

#endif
