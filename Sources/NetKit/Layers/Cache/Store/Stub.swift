import Foundation
enum DiskCacheStore {
    static func of(_ f: URL, capacity: Int) throws -> MemoryCacheStore {
        MemoryCacheStore(capacity: capacity)
    }
}
/// s
public struct CacheFolderError: Error {}
