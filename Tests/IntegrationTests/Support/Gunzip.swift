import Foundation
import Testing

/// Decompresses a gzip file with the system's `gunzip`, which refuses one that is damaged or followed by other bytes.
func gunzipped(_ file: Data) async throws -> Data {
    let folder = try TemporaryFolder()
    let packed = folder.file("content.gz")
    try file.write(to: packed)
    // Not by Foundation's `Process`, as in RealCURL.swift.
    let command = "gunzip '\(packed.path)' < /dev/null > /dev/null 2>&1"
    let status = await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: system(command)) }
    }
    try #require(status == 0)
    return try Data(contentsOf: folder.file("content"))
}
