internal import NIOCore
internal import NIOHTTP2
internal import NIOHTTPCompression
internal import NIOSSL
internal import NetKit

/// Adds NetKit's handlers to connections and streams before AsyncHTTPClient has them.
///
/// What is good is ready at once: AsyncHTTPClient ends the process where a server says something between the
/// making of a connection of HTTP/2 and its end.
struct ConnectionSetup: Sendable {
    /// The public keys of which a server has to have one; empty allows every key.
    let pins: Set<PublicKeyPin>

    /// Sets up a connection of HTTP/1.1.
    func prepareHTTP1(_ channel: any Channel) -> EventLoopFuture<Void> {
        prepare(channel) { pipeline in
            let certificate = try peerCertificate(pipeline)
            let last = try pipeline.handler(type: NIOHTTPResponseDecompressor.self)
            if let certificate {
                try pipeline.addHandler(
                    ServerIdentityCheck(identity: ServerIdentity(of: certificate)),
                    position: .after(last)
                )
            }
            try pipeline.addHandler(ResponseGuard(), position: .after(last))
            try check(certificate)
        }
    }

    /// Sets up a connection of HTTP/2.
    func prepareHTTP2(_ channel: any Channel) -> EventLoopFuture<Void> {
        prepare(channel) { pipeline in
            let certificate = try peerCertificate(pipeline)
            let http2 = try pipeline.handler(type: NIOHTTP2Handler.self)
            let connection = HTTP2ConnectionGuard(
                identity: certificate.map { ServerIdentity(of: $0) }
            )
            try pipeline.addHandler(connection, position: .after(http2))
            try pipeline.addHandler(HTTP2ErrorClosing(), position: .before(http2))
            do {
                try check(certificate)
            } catch {
                connection.refuse()
                throw error
            }
        }
    }

    /// Sets up a stream of HTTP/2.
    func prepareStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let connection = try channel.parent?.pipeline.syncOperations
                .handler(type: HTTP2ConnectionGuard.self)
            let last = try pipeline.handler(type: NIOHTTPResponseDecompressor.self)
            if let identity = connection?.identity {
                try pipeline.addHandler(
                    ServerIdentityCheck(identity: identity),
                    position: .after(last)
                )
            }
            try pipeline.addHandler(ResponseGuard(streamOf: connection), position: .after(last))
            try pipeline.addHandler(HTTP2StatusCheck(), position: .first)
        }
    }

    /// Does something on the channel's event loop at once, and closes a channel that is refused.
    private func prepare(
        _ channel: any Channel,
        _ change: (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> EventLoopFuture<Void> {
        do {
            try change(channel.pipeline.syncOperations)
            return channel.eventLoop.makeSucceededVoidFuture()
        } catch {
            // How it closes is of no interest.
            return channel.close().flatMapErrorThrowing { _ in }.flatMapThrowing { throw error }
        }
    }

    /// The server's certificate; nil without TLS.
    private func peerCertificate(
        _ pipeline: ChannelPipeline.SynchronousOperations
    ) throws -> NIOSSLCertificate? {
        guard (try? pipeline.context(handlerType: NIOSSLClientHandler.self)) != nil else {
            return nil
        }
        guard let certificate = try pipeline.nioSSL_peerCertificate() else {
            throw ServerIdentityMismatch()
        }
        return certificate
    }

    /// Pins are for TLS; without it there is nothing to look at.
    private func check(_ certificate: NIOSSLCertificate?) throws {
        guard let certificate, !pins.isEmpty else { return }
        guard pins.contains(try PublicKeyPin(of: certificate)) else { throw PublicKeyMismatch() }
    }
}

/// The server's certificate is trusted, and its public key is none of those pinned.
struct PublicKeyMismatch: DescribedCause {
    let description = "the server's public key is none of those pinned"
}
