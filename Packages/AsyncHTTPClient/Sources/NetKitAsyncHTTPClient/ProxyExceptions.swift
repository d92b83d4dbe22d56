/// The hosts that are reached without the environment's proxy: the value of `no_proxy`.
///
/// Names and addresses with commas or blanks between them. A name stands for its subdomains too, a dot in front of it
/// says nothing more, and an address may have a length of its network behind it, such as `10.0.0.0/8`. `*` alone
/// stands for every host.
struct ProxyExceptions: Hashable, Sendable {
    private struct Network: Hashable, Sendable {
        let address: [UInt8]
        /// How many bits count.
        let bits: Int

        func contains(_ other: [UInt8]) -> Bool {
            guard address.count == other.count else { return false }
            let whole = bits / 8
            guard address.prefix(whole) == other.prefix(whole) else { return false }
            let left = bits % 8
            return left == 0 || (address[whole] ^ other[whole]) >> UInt8(8 - left) == 0
        }
    }

    private let isEverything: Bool
    private let names: [String]
    private let networks: [Network]

    /// Reads a list.
    ///
    /// - Parameter list: The list; what is neither a name nor a network in it stands for nothing.
    init(_ list: String) {
        isEverything = list == "*"
        let entries = list.split { $0 == "," || $0 == " " || $0 == "\t" }
        names = entries.map { ServerIdentity.normalized(String($0.drop { $0 == "." })) }
            .filter { !$0.isEmpty }
        networks = entries.compactMap { entry in
            let parts = entry.split(separator: "/", maxSplits: 1)
            guard let first = parts.first, let address = ServerIdentity.address(String(first))
            else { return nil }
            let all = address.count * 8
            guard parts.count > 1 else { return Network(address: address, bits: all) }
            // curl takes a length of 0 for none.
            guard let bits = Int(parts[1]), (0...all).contains(bits) else { return nil }
            return Network(address: address, bits: bits == 0 ? all : bits)
        }
    }

    /// Whether a host is one of them.
    ///
    /// - Parameter host: A name or an address, as in a URL.
    /// - Returns: Whether it is reached without a proxy.
    func contain(_ host: String) -> Bool {
        if isEverything { return true }
        if let address = ServerIdentity.address(host) {
            return networks.contains { $0.contains(address) }
        }
        let host = ServerIdentity.normalized(host)
        return names.contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
