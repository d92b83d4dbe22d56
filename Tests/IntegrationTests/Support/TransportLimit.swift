/// What one transport can do and another cannot.
enum TransportLimit: Hashable, Sendable {
    /// Responses with trailers: URLSession on Linux would end the process.
    case trailers
    /// Hosts that are IPv6 literals.
    case ipv6Literals
    /// A field without a blank behind its colon (RFC 9112, section 5): libcurl does not take it.
    case fieldsWithoutBlanks
    /// Using a kept connection for a request that has no bytes and must not be sent twice.
    case keptConnectionsWithoutBytes
    /// Holding a server back while a response is not read.
    case holdingBack
    /// Counting the body of a redirect: URLSession on Linux tells nobody of it until it is whole.
    case redirectBodies
    /// Status lines by the letter (RFC 9112, section 4): URLSession on Linux needs a reason, or the blank in front of
    /// it, and takes `Http/1.1` for HTTP.
    case statusLines
}
