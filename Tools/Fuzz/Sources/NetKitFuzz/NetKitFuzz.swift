import CFuzzer
import Foundation
import FuzzProperties

/// Runs libFuzzer on one target: `NetKitFuzz TARGET [option of libFuzzer…] [folder or file…]`.
///
/// Without arguments it lists the targets.
@main
enum NetKitFuzz {
    /// What libFuzzer's callback runs, which can't capture anything; set once, before the first run.
    ///
    /// Proof: libFuzzer calls it on this thread alone.
    nonisolated(unsafe) private static var run: ([UInt8]) -> Void = { _ in }

    static func main() {
        guard CommandLine.argc > 1 else {
            print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
            return
        }
        let name = CommandLine.arguments[1]
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            fail("no target \(name)")
        }
        run = { bytes in check(FuzzInput(bytes), target) }
        // Without the target's name, which is none of libFuzzer's options.
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.enumerated()
            .filter { $0.offset != 1 }
            .map { strdup($0.element) }
        arguments.append(nil)
        var count = Int32(arguments.count - 1)
        let status = arguments.withUnsafeMutableBufferPointer { buffer in
            var list = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &list) { bytes, size in
                NetKitFuzz.run(Array(UnsafeBufferPointer(start: bytes, count: size)))
                return 0
            }
        }
        exit(status)
    }

    /// Checks an input, and of some the time that it takes many times over.
    private static func check(_ input: FuzzInput, _ target: FuzzTarget) {
        do {
            try target.check(input)
            let sum = input.bytes.reduce(UInt32(17)) { $0 &* 31 &+ UInt32($1) }
            guard sum % interval == 0, let long = target.repeated(input, to: longLength) else {
                return
            }
            var milliseconds = Int.max
            // A busy machine can slow a thread; slow code takes too long each time.
            for _ in 0..<3 where milliseconds > limit {
                let start = threadTime()
                try target.check(long)
                milliseconds = (threadTime() - start) / 1_000_000
            }
            guard milliseconds <= limit else {
                fail("\(target.name): \(long.bytes.count) bytes took \(milliseconds) ms")
            }
        } catch {
            fail("\(target.name): \(error)")
        }
    }

    /// Of how many inputs one is repeated: all of them where the script runs the corpus alone.
    private static let interval =
        ProcessInfo.processInfo.environment["NETKIT_FUZZ_INTERVAL"].flatMap { UInt32($0) } ?? 256

    /// The length of a repeated input.
    private static let longLength = 128 << 10

    /// Milliseconds of this thread that a long input may take.
    private static let limit = 2000

    /// The time that this thread ran, in nanoseconds; what others do on the machine is not in it.
    private static func threadTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("FINDING: \(text)\n".utf8))
        // A signal, by which libFuzzer keeps the input.
        abort()
    }
}
