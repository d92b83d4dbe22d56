internal import CLibcurl
internal import Foundation
@_spi(Transports) public import NetKit

/// A transport over libcurl, the library that FoundationNetworking loads on Linux anyway.
///
/// It needs no other package and no development files, and supports what `URLSession` on Linux doesn't:
///
/// - Responses that would end the process over `URLSession`, such as those with trailers, and IPv6 literals as hosts.
/// - HTTP/2, live request bodies, and backpressure, so that a slow reader slows the server down.
/// - Calls that use no processor time while they wait.
/// - A proxy, certificate authorities, pinned public keys, a client certificate, unix sockets, and
///   ``AddressPolicy``. See ``Configuration``.
///
/// It stores no cookies, has no cache, and follows no redirects: the endpoint does all of that, and decides about retries.
/// From libcurl 7.80 on, libcurl itself never sends a request twice. Earlier versions do so with a request that is safe to
/// repeat and that a kept connection lost before any byte of a response. From 7.88 on, the transport resends a request that an
/// HTTP/2 server reports as not processed (RFC 9113, section 8.7): at most twice, if the server processes nothing else.
///
/// ```swift
/// let endpoint = Endpoint(baseURL: url, transport: CurlTransport())
/// ```
///
/// It needs libcurl 7.68 or later. Without it, each request fails with ``TransportError/Kind/unsupported``, and says which
/// version was found. A request also fails so if the system has no thread left for it. On platforms other than Linux, it
/// is compiled but untested.
///
/// One thread carries all connections of a transport. It starts with the first request, and ends with ``shutdown()`` or
/// the release of the transport. A process that ends while requests are in flight should call ``shutdown()`` first. In
/// a child after `fork` without `exec`, its requests never end.
public final class CurlTransport: Transport {
    /// The configuration that the transport was created with.
    public let configuration: Configuration
    /// An identity of its own for each transport with a client certificate.
    @_spi(Transports) public let connectionIdentity: String?
    private let mailbox: CurlMailbox

    /// Creates a transport with its own connections.
    ///
    /// - Parameter configuration: The configuration, which can't be changed later. Defaults to `Configuration()`.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        connectionIdentity = Self.identity(of: configuration)
        mailbox = CurlMailbox(startThread: CurlThread.start)
    }

    /// Creates a transport whose thread is started in another way.
    init(configuration: Configuration, startThread: @escaping CurlThread.Start) {
        self.configuration = configuration
        connectionIdentity = Self.identity(of: configuration)
        mailbox = CurlMailbox(startThread: startThread)
    }

    /// Requests with a client certificate have the user that it names.
    private static func identity(of configuration: Configuration) -> String? {
        configuration.tls.clientCertificate.map { _ in UUID().uuidString }
    }

    deinit {
        // Every transfer retains the transport, so none is in flight here. This may be the loop's own thread.
        mailbox.post(.stop(nil))
    }

    /// The version of the loaded libcurl and its features.
    ///
    /// One line, such as `libcurl 7.88.1, OpenSSL 3.0.19, HTTP/2, br, zstd`, or why there is none.
    public static var version: String { CurlLibrary.shared.description }

    /// Whether the transport sends live sequences while they produce data.
    ///
    /// Always `true`. Over HTTP/1.1, a sequence of unknown length is sent in chunks.
    public var sendsSequences: Bool { true }

    public func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        let transfer = CurlTransfer(request, to: receiver, over: self, mailbox)
        do throws(TransportError) {
            try transfer.check()
            try CurlLibrary.shared.check(for: configuration)
            guard try mailbox.start(transfer, with: configuration) else {
                throw TransportError.shutDown
            }
        } catch {
            transfer.refuse(error)
        }
        return transfer
    }

    /// Refuses new requests, waits for those in flight, closes all connections, and ends the thread.
    ///
    /// Requests in flight finish normally. To cancel them, use `cancelAllRequests()` of their endpoint. Canceling the
    /// task has no effect. If the transport is already shut down, this method returns when its thread has ended.
    public func shutdown() async {
        await withCheckedContinuation { continuation in
            mailbox.post(.stop(continuation))
        }
    }
}

@_spi(Transports) extension CurlTransport: PoolingTransport {
    public var maximumConnectionsPerHost: Int { max(1, configuration.maximumConnectionsPerHost) }
}

extension TransportError {
    /// An error for a request to a transport that was shut down.
    static var shutDown: TransportError {
        TransportError(.other, underlying: ShutDown())
    }

    /// An error for what the transport can't do.
    static func unsupported(_ what: String) -> TransportError {
        TransportError(
            .unsupported,
            underlying: CurlProblem("not supported by this transport: \(what)")
        )
    }
}

/// The reason of a request to a transport that was shut down.
private struct ShutDown: LastingCause {
    let description = "the transport was shut down"
}

/// A reason in the words of the transport.
struct CurlProblem: DescribedCause, Equatable {
    let description: String

    init(_ description: String) { self.description = description }
}
