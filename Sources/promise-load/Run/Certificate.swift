/// A certificate for this machine's loopback address that nobody else trusts, made by the `openssl` command.
enum Certificate {
    /// Makes `certificate.pem` and `key.pem`, good for a day, in a directory.
    ///
    /// - Throws: ``LoadFailure`` when there is no `openssl` or it can't.
    static func make(in directory: String) async throws -> (certificate: String, key: String) {
        let (certificate, key) = (directory + "/certificate.pem", directory + "/key.pem")
        let openssl = try ChildProcess(
            "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "1", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                "-out", certificate,
            ]
        )
        guard await openssl.end() == 0 else { throw LoadFailure("openssl could not make a certificate") }
        return (certificate, key)
    }
}
