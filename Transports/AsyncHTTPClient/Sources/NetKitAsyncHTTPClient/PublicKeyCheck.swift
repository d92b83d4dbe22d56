internal import NIOCore
internal import NIOSSL
internal import NetKit

/// Closes connections to servers whose public key is none of those pinned, before they are used.
struct PublicKeyCheck: Sendable {
    let pins: Set<PublicKeyPin>

    /// Looks at a connection that has just been made.
    ///
    /// - Parameter channel: The connection, encrypted or not.
    /// - Returns: Fails with ``PublicKeyMismatch`` where the key is another one.
    func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.pipeline.containsHandler(type: NIOSSLClientHandler.self)
            .flatMap {
                channel.nioSSL_peerCertificate()
                    .flatMapThrowing { certificate in
                        guard let certificate,
                            pins.contains(try PublicKeyPin(of: certificate))
                        else { throw PublicKeyMismatch() }
                    }
                    .flatMapError { error in
                        // How it closes is of no interest.
                        channel.close().flatMapErrorThrowing { _ in }
                            .flatMapThrowing { throw error }
                    }
            }
            .flatMapErrorThrowing { error in
                // Pins are for TLS; without it there is nothing to look at.
                guard case ChannelPipelineError.notFound = error else { throw error }
            }
    }
}

/// The server's certificate is trusted, and its public key is none of those pinned.
struct PublicKeyMismatch: DescribedCause {
    let description = "the server's public key is none of those pinned"
}
