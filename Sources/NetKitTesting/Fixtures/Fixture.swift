public import Foundation
public import NetKit
import NetKitSupport

/// A file in the folder `Fixtures` beside a test's source file.
///
/// ```swift
/// let user: User = try Fixture("user.json").decoded()
/// stub.on(.get, "/users/{id}") { _ in try .fixture(Fixture("user.json")) }
/// ```
///
/// A fixture is read from the source folder, so it doesn't need to be a resource of the test
/// target. List the folder in the target's `exclude`.
public struct Fixture: Hashable, Sendable {
    /// The URL of the file, whether it exists or not.
    public let url: URL

    /// Creates a fixture without reading the file.
    ///
    /// - Parameters:
    ///   - name: The file's name with its extension, and with subfolders if needed.
    ///   - folder: The folder beside the source file. Defaults to `Fixtures`; empty for the source
    ///     file's own folder.
    ///   - source: The source file. Don't pass this argument.
    public init(_ name: String, in folder: String = "Fixtures", of source: String = #filePath) {
        let parent = URL(fileURLWithPath: source).deletingLastPathComponent()
        let place = folder.isEmpty ? parent : parent.appending(path: folder)
        url = place.appending(path: name)
    }

    /// Returns the file's content.
    ///
    /// - Returns: The content.
    /// - Throws: ``FixtureError``, which lists the existing files if this one is missing.
    public func data() throws(FixtureError) -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            throw FixtureError(unreadable: url, error)
        }
    }

    /// Returns the file's content, and creates a missing file first.
    ///
    /// Only this function ever writes a file. A test that doesn't call it fails if the file is
    /// missing.
    ///
    /// - Parameter make: A closure that creates the content.
    /// - Returns: The content.
    /// - Throws: The errors of `make`, and ``FixtureError`` if the file can't be read or written.
    public func data(orWriting make: () async throws -> Data) async throws -> Data {
        if FileManager.default.fileExists(atPath: url.path) { return try data() }
        let data = try await make()
        do {
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try data.write(to: url, options: .atomic)
        } catch {
            throw FixtureError(file: url, reason: .unwritable("\(error)"))
        }
        return data
    }

    /// Returns the file as text.
    ///
    /// - Returns: The text.
    /// - Throws: ``FixtureError``, also if the file is not UTF-8.
    public func text() throws(FixtureError) -> String {
        let data = try data()
        let text = String(decoding: data, as: UTF8.self)
        guard text.utf8.elementsEqual(data) else {
            throw FixtureError(file: url, reason: .undecodable("it is not UTF-8"))
        }
        return text
    }

    /// Returns the file as a JSON value.
    ///
    /// - Returns: The JSON value.
    /// - Throws: ``FixtureError``.
    public func json() throws(FixtureError) -> JSONValue {
        try decoded()
    }

    /// Returns a value decoded from the file's JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode. Defaults to the inferred type.
    ///   - decoder: The decoder. Defaults to one with default settings.
    /// - Returns: The decoded value.
    /// - Throws: ``FixtureError``, with the path of the value that doesn't match.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(FixtureError) -> Value {
        let data = try data()
        do {
            return try decoder.decodeBounded(type, from: data)
        } catch {
            throw FixtureError(file: url, reason: .undecodable("\(error)"))
        }
    }
}

/// An error of a ``Fixture``.
public struct FixtureError: DescribedCause, Hashable, Sendable {
    /// The reason why a fixture can't be used.
    public enum Reason: Hashable, Sendable {
        /// The file doesn't exist.
        ///
        /// The value lists the files in its folder.
        case missing(existing: [String])
        /// The file can't be read.
        case unreadable(String)
        /// The file can't be written.
        case unwritable(String)
        /// The file has another format.
        case undecodable(String)
    }

    /// The file.
    public let file: URL
    /// The reason.
    public let reason: Reason

    init(file: URL, reason: Reason) {
        self.file = file
        self.reason = reason
    }

    /// Creates the error for a file that couldn't be read.
    init(unreadable file: URL, _ error: any Error) {
        self.file = file
        guard !FileManager.default.fileExists(atPath: file.path) else {
            reason = .unreadable(error.localizedDescription)
            return
        }
        let folder = file.deletingLastPathComponent().path
        // A missing folder has no files.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        reason = .missing(existing: names.sorted())
    }

    /// A description in one line, with the file's path.
    public var description: String {
        switch reason {
        case .missing(let names):
            "no fixture \(file.path); "
                + (names.isEmpty
                    ? "its folder is empty or missing"
                    : "there are \(names.joined(separator: ", "))")
        case .unreadable(let reason): "the fixture \(file.path) can't be read: \(reason)"
        case .unwritable(let reason): "the fixture \(file.path) can't be written: \(reason)"
        case .undecodable(let reason):
            "the fixture \(file.path) doesn't have the expected content: \(reason)"
        }
    }
}

extension StubReply {
    /// Creates a response whose body is a fixture.
    ///
    /// - Parameters:
    ///   - fixture: The fixture.
    ///   - contentType: The media type. Defaults to nil, which derives it from the file extension.
    /// - Returns: The reply.
    /// - Throws: ``FixtureError``. Thrown by a route's closure, it becomes the request's error.
    public static func fixture(
        _ fixture: Fixture,
        contentType: String? = nil
    ) throws(FixtureError) -> StubReply {
        let type = MimeType(fileExtension: fixture.url.pathExtension) ?? .binary
        return .data(try fixture.data(), contentType: contentType ?? type.rawValue)
    }
}
