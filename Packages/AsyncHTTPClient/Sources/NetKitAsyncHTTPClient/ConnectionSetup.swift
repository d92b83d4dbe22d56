internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOSSL
internal import NetKit

/// Adds NetKit's handlers to connections and streams before AsyncHTTPClient uses them.
///
/// It returns a completed future on success. AsyncHTTPClient would crash if a server sent anything between the creation
/// of an HTTP/2 connection and the end of its setup.
struct ConnectionSetup: Sendable {
    /// The allowed public keys of a server.
    ///
    /// Empty allows every key.
    let pins: Set<PublicKeyPin>
    /// Whether the connections lead to a proxy that is sent requests with their whole URLs.
    var writesAbsoluteForm = false

    /// Sets up an HTTP/1.1 connection.
    func prepareHTTP1(_ channel: any Channel) -> EventLoopFuture<Void> {
        prepare(channel) { pipeline in
            let certificate = try peerCertificate(pipeline)
            let last = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(KeepAliveLimit(), position: .after(last))
            if let certificate {
                try pipeline.addHandler(
                    ServerIdentityCheck(identity: ServerIdentity(of: certificate)),
                    position: .after(last)
                )
            }
            if writesAbsoluteForm {
                try pipeline.addHandler(AbsoluteForm(), position: .after(last))
            }
            try pipeline.addHandler(ResponseGuard(), position: .after(last))
            try check(certificate)
        }
    }

    /// Sets up an HTTP/2 connection.
    func prepareHTTP2(_ channel: any Channel) -> EventLoopFuture<Void> {
        prepare(channel) { pipeline in
            let certificate = try peerCertificate(pipeline)
            let http2 = try pipeline.handler(type: NIOHTTP2Handler.self)
            let connection = HTTP2ConnectionGuard(
                identity: certificate.map { ServerIdentity(of: $0) }
            )
            try pipeline.addHandler(connection, position: .after(http2))
            try pipeline.addHandler(HTTP2FrameBytes(of: connection), position: .before(http2))
            do {
                try check(certificate)
            } catch {
                connection.refuse()
                throw error
            }
        }
    }

    /// Sets up an HTTP/2 stream.
    func prepareStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let connection = try channel.parent?.pipeline.syncOperations
                .handler(type: HTTP2ConnectionGuard.self)
            if let connection {
                channel.closeFuture.assumeIsolated()
                    .whenComplete { _ in connection.channelEnds(channel) }
            }
            let last = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
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

    /// Changes a channel on its event loop, and closes it if the change fails.
    private func prepare(
        _ channel: any Channel,
        _ change: (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> EventLoopFuture<Void> {
        do {
            try change(channel.pipeline.syncOperations)
            return channel.eventLoop.makeSucceededVoidFuture()
        } catch {
            // The result of closing doesn't matter.
            return channel.close().flatMapErrorThrowing { _ in }.flatMapThrowing { throw error }
        }
    }

    /// Returns the server's certificate, or nil without TLS.
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

    /// Checks the pinned keys, which apply only with TLS.
    private func check(_ certificate: NIOSSLCertificate?) throws {
        guard let certificate, !pins.isEmpty else { return }
        guard pins.contains(try PublicKeyPin(of: certificate)) else { throw PublicKeyMismatch() }
    }
}

/// An error for a server whose trusted certificate has a public key that isn't pinned.
struct PublicKeyMismatch: DescribedCause {
    let description = "the server's public key is none of those pinned"
}
