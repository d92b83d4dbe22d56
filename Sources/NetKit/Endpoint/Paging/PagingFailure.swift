/// Why ``Pages`` end before the last one; addresses are without user, password and query values.
public enum PagingFailure: Error, Hashable, Sendable {
    /// The next page is at another origin than the request, or the page that names it came from there.
    ///
    /// See ``OtherOrigins``.
    case otherOrigin(String)
    /// The address of the next page is no http or https URL, or it is http and the page came by https.
    case invalidLink(String)
    /// The next request is one that was sent already: the pages run in a circle.
    case repeatedRequest(String)
    /// There are more pages than were allowed for.
    case tooManyPages(maximum: Int)
}

extension PagingFailure: CustomStringConvertible {
    /// One lower-case line without secrets.
    public var description: String {
        switch self {
        case .otherOrigin(let address): "the next page is at another origin: \(address)"
        case .invalidLink(let address): "the next page cannot be asked for: \(address)"
        case .repeatedRequest(let address): "the next page was asked for already: \(address)"
        case .tooManyPages(let maximum): "there are more pages than \(maximum)"
        }
    }
}

extension PagingFailure {
    init(_ refusal: LinkTrail.Refusal) {
        switch refusal {
        case .invalid(let address): self = .invalidLink(address)
        case .otherOrigin(let address): self = .otherOrigin(address)
        }
    }
}
