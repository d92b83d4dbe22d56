public import Foundation
public import NetKit

/// A file that lies beside a test's source file, in its folder `Fixtures`.
///
/// ```swift
/// let user: User = try Fixture("user.json").decoded()
/// stub.on(.get, "/users/{id}") { _ in try .fixture(Fixture("user.json")) }
/// ```
///
/// It is read from where the sources are, so that it need not be a resource of the test target; list the folder
/// in the target's `exclude`.
public struct Fixture: Hashable, Sendable {
    /// Where the file is, or would be.
    public let url: URL

    /// Names a file; nothing is read yet.
    ///
    /// - Parameters:
    ///   - name: The file's name with its extension, perhaps with folders in front.
    ///   - folder: The folder beside the source file. Defaults to `Fixtures`; empty for the source file's own.
    ///   - source: The source file; leave it out.
    public init(_ name: String, in folder: String = "Fixtures", of source: String = #filePath) {
        let parent = URL(fileURLWithPath: source).deletingLastPathComponent()
        let place = folder.isEmpty ? parent : parent.appending(path: folder)
        url = place.appending(path: name)
    }

    /// The file's bytes.
    ///
    /// - Returns: The bytes.
    /// - Throws: ``FixtureFailure``, which names the files that are there instead.
    public func data() throws(FixtureFailure) -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            throw FixtureFailure(unreadable: url, error)
        }
    }

    /// The file's bytes; where there is no such file, makes them and writes them into it.
    ///
    /// Only this function ever writes: a test that does not call it fails for want of the file.
    ///
    /// - Parameter make: Makes the bytes.
    /// - Returns: The bytes.
    /// - Throws: What `make` throws, and ``FixtureFailure`` if they cannot be read or written.
    public func data(orWriting make: () async throws -> Data) async throws -> Data {
        if FileManager.default.fileExists(atPath: url.path) { return try data() }
        let data = try await make()
        do {
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try data.write(to: url, options: .atomic)
        } catch {
            throw FixtureFailure(file: url, reason: .unwritable("\(error)"))
        }
        return data
    }

    /// The file as text.
    ///
    /// - Returns: The text.
    /// - Throws: ``FixtureFailure``, also for what is not UTF-8.
    public func text() throws(FixtureFailure) -> String {
        let data = try data()
        let text = String(decoding: data, as: UTF8.self)
        guard text.utf8.elementsEqual(data) else {
            throw FixtureFailure(file: url, reason: .undecodable("it is not UTF-8"))
        }
        return text
    }

    /// The file as JSON of any form.
    ///
    /// - Returns: The document.
    /// - Throws: ``FixtureFailure``.
    public func json() throws(FixtureFailure) -> JSONValue {
        try decoded()
    }

    /// The file decoded from JSON.
    ///
    /// - Parameters:
    ///   - type: What to decode; inferred where the result's type is known.
    ///   - decoder: How to decode it. The default is a decoder with default settings.
    /// - Returns: The decoded value.
    /// - Throws: ``FixtureFailure``, which names the place that does not fit.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(FixtureFailure) -> Value {
        let data = try data()
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw FixtureFailure(file: url, reason: .undecodable("\(error)"))
        }
    }
}

/// A ``Fixture`` that cannot be used.
public struct FixtureFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why not.
    public enum Reason: Hashable, Sendable {
        /// There is no such file; with the names of those that are in its folder.
        case missing(there: [String])
        /// It cannot be read.
        case unreadable(String)
        /// It cannot be written.
        case unwritable(String)
        /// What is in it is something else.
        case undecodable(String)
    }

    /// The file.
    public let file: URL
    /// Why it cannot be used.
    public let reason: Reason

    init(file: URL, reason: Reason) {
        self.file = file
        self.reason = reason
    }

    /// A file that could not be read.
    init(unreadable file: URL, _ error: any Error) {
        self.file = file
        guard !FileManager.default.fileExists(atPath: file.path) else {
            reason = .unreadable(error.localizedDescription)
            return
        }
        let folder = file.deletingLastPathComponent().path
        // A folder that is not there has no files.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        reason = .missing(there: names.sorted())
    }

    /// One line that names the file.
    public var description: String {
        switch reason {
        case .missing(let names):
            "there is no fixture \(file.path); "
                + (names.isEmpty
                    ? "its folder is empty or missing"
                    : "there are \(names.joined(separator: ", "))")
        case .unreadable(let reason): "the fixture \(file.path) cannot be read: \(reason)"
        case .unwritable(let reason): "the fixture \(file.path) cannot be written: \(reason)"
        case .undecodable(let reason):
            "the fixture \(file.path) is not what was expected: \(reason)"
        }
    }
}

extension StubReply {
    /// A response with a fixture as its body.
    ///
    /// - Parameters:
    ///   - fixture: The file.
    ///   - contentType: The media type; nil, the default, for the one of the file's extension.
    /// - Returns: The reply.
    /// - Throws: ``FixtureFailure``; in a route's closure it becomes the failure of the request.
    public static func fixture(
        _ fixture: Fixture,
        contentType: String? = nil
    ) throws(FixtureFailure) -> StubReply {
        let type = MimeType(fileExtension: fixture.url.pathExtension) ?? .binary
        return .data(try fixture.data(), contentType: contentType ?? type.rawValue)
    }
}
