import Foundation
import Testing

@_spi(Hashing) @testable import NetKit

@Suite("Hash of data for the nested packages")
struct DataHashTests {
    @Test("is the SHA-256 of FIPS 180-4's example")
    func example() {
        let hash = Data("abc".utf8).sha256.map { String(format: "%02x", $0) }.joined()
        #expect(hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Data().sha256.count == 32)
    }
}
