import Foundation
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitCache

@Suite("XXH64")
struct XXH64Tests {
    /// The bytes that the authors' own checks are made with.
    private static func generated(_ count: Int) -> [UInt8] {
        var state: UInt64 = 2_654_435_761
        return (0..<count)
            .map { _ in
                defer { state &*= 11_400_714_785_074_694_797 }
                return UInt8(truncatingIfNeeded: state >> 56)
            }
    }

    @Test(
        "matches the published digests",
        arguments: [
            ([UInt8](), 0xEF46_DB37_51D8_E999), (generated(1), 0xE934_A84A_DB05_2768),
            (generated(4), 0x9136_A0DC_A574_57EE), (generated(14), 0x8282_DCC4_994E_35C8),
            (generated(8), 0xCDBC_F538_E71D_1348), (generated(31), 0x299B_39A2_90E6_D783),
            (generated(32), 0x18B2_1649_2BB4_4B70), (generated(33), 0x55C8_DC3E_578F_5B59),
            (generated(40), 0x23B3_810D_7D8B_1731), (generated(64), 0xEF55_8F8A_CAC2_B5CD),
            (generated(222), 0xB641_AE8C_B691_C174), (Array("a".utf8), 0xD24E_C4F1_A98C_6E5B),
            (Array("abc".utf8), 0x44BC_2CF5_AD77_0999),
            (Array("Nobody inspects the spammish repetition".utf8), 0xFBCE_A83C_8A37_8BF1),
        ] as [([UInt8], UInt64)]
    )
    func vectors(bytes: [UInt8], digest: UInt64) {
        #expect(bytes.withUnsafeBytes { XXH64.digest(of: $0) } == digest)
    }

    @Test("is the same for any pieces")
    func pieces() {
        var random = SeededGenerator(seed: 1)
        for count in 0..<200 {
            let bytes = Self.generated(count)
            var hash = XXH64()
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...70, using: &random))
                Array(piece).withUnsafeBytes { hash.add($0) }
                rest = rest.dropFirst(piece.count)
            }
            #expect(hash.digest == bytes.withUnsafeBytes { XXH64.digest(of: $0) })
        }
    }
}
