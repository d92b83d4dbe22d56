import Testing

@testable import NetKitCurl

@Suite("Public addresses")
struct NumericAddressTests {
    @Test(
        "are none of the special purpose registries, in any notation",
        arguments: [
            ("1.1.1.1", true), ("8.8.8.8", true), ("93.184.216.34", true), ("100.63.255.255", true),
            ("100.128.0.0", true), ("172.15.255.255", true), ("172.32.0.0", true),
            ("192.0.1.1", true),
            ("198.17.255.255", true), ("198.20.0.0", true), ("223.255.255.255", true),
            ("0.0.0.0", false), ("0.1.2.3", false), ("10.0.0.7", false), ("100.64.0.1", false),
            ("100.127.255.255", false), ("127.0.0.1", false), ("127.255.255.255", false),
            ("169.254.169.254", false), ("172.16.0.1", false), ("172.31.255.255", false),
            ("192.0.0.1", false), ("192.0.2.1", false), ("192.88.99.1", false),
            ("192.168.0.1", false),
            ("198.18.0.1", false), ("198.19.255.255", false), ("198.51.100.1", false),
            ("203.0.113.1", false), ("224.0.0.1", false), ("239.255.255.255", false),
            ("240.0.0.1", false), ("255.255.255.255", false),
            ("2606:4700:4700::1111", true), ("2a00:1450::1", true),
            ("::", false), ("::1", false), ("fe80::1", false), ("fe80::1%eth0", false),
            ("fc00::1", false),
            ("fd12:3456::1", false), ("fec0::1", false), ("ff02::1", false), ("100::1", false),
            ("2001::1", false), ("2001:10::1", false), ("2001:db8::1", false), ("3fff::1", false),
            ("5f00::1", false), ("4000::1", false),
            ("::ffff:127.0.0.1", false), ("::ffff:7f00:1", false), ("::ffff:8.8.8.8", true),
            ("::7f00:1", false), ("64:ff9b::10.0.0.1", false), ("64:ff9b::8.8.8.8", true),
            ("64:ff9b:1::8.8.8.8", false), ("2002:7f00:1::1", false), ("2002:808:808::1", true),
        ]
    )
    func isPublic(address: String, isPublic: Bool) {
        #expect(CurlTransport.AddressPolicy.publicOnly.allows(address) == isPublic)
    }

    @Test(
        "are never names",
        arguments: ["localhost", "", "127.1", "0x7f.1", "2130706433", "[::1]"]
    )
    func names(text: String) {
        #expect(NumericAddress(text) == nil)
        #expect(!CurlTransport.AddressPolicy.publicOnly.allows(text))
    }
}
